"""Chess played entirely by voice, in the announcing language FIDE laid down for blind players.

    microphone ─► recogniser ─► readings ─► session ─► wording ─► speaker
      sound/        sound/      language/    game/     language/   sound/

The rooms, each knowing only those above it (tests/test_imports.py has the table):

    meaning, messages   the vocabulary of the house: what was understood; what is to be said, and Failure
    own_files, deadline the one door for files of ours; a limit for the whole of what may take for ever
    language/           words in and out: lexicon, patterns, understanding, phrases, wording; de/, en/: a folder each
    moves/              from a spoken move to the one that was meant: what fits, what to decide, why refused
    laws/               clock, time controls, editions, draws, mating material, touch-move, Chess960, adjournment
    score/              the score: PGN, letters, Braille; lines of correspondence games; which games are meant
    game/               the session: state, phases, events in, effects out; Kind, what differs between kinds of game
    correspondence/     games over days: lines, days, conditional moves
    display/            several boards at once, and who plays at all of them
    conversations/      what is talked about outside a game: the welcome, the calibration
    online/             games on a server, its lobby and challenges, and what is said around them
    practice/           the frame of an exercise; exercises/ one file each
    sound/              microphone, recogniser, voice, loudspeaker; devices/ PortAudio, miniaudio, files
    opponents/          the engine over UCI, levels; people elsewhere, by lichess.org
    storage/            journal, settings, speech models, what was learnt about a speaker
    app/                the loop, the wiring of devices, the keyboard, whose turn it is to speak; page/ a board to see
    commands/, cli      one file a command

`language/` to `practice/` are pure: no clock, no thread, no device. `app.loop` is the one thread that owns a game;
devices only put events on its queue. Nothing here speaks German or English: the words stand in `language/<code>/`.
"""

__version__ = "0.1.0"
