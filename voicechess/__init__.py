"""Chess played entirely by voice, in the announcing language FIDE laid down for blind players.

    microphone ─► recogniser ─► understanding ─► session ─► wording ─► speaker
      sound/         sound/        language/       game/     language/    sound/
                                                    ▲ │
                                clock · laws · opponents · journal

Sound becomes words, words a meaning, the game answers with messages, messages become sentences, sentences sound.
`language/` and `game/` are pure: no clock, no thread, no device. `loop` is the one thread that owns a game; devices
only put events on its queue. `cli` and `commands/` wire it together. Nothing here speaks German or English: the words
stand in `language/*.toml`.
"""

__version__ = "0.1.0"
