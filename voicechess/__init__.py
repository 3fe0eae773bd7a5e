"""Chess played entirely by voice, in the announcing language FIDE laid down for blind players.

    microphone ─► recogniser ─► readings ─► session ─► wording ─► speaker
      sound/        sound/      language/    game/     language/   sound/

The rooms, each knowing only those above it (tests/test_imports.py has the table):

    meaning, messages   the vocabulary shared by all: meanings of utterances; sentences to be said, and Failure
    own_files, deadline access to the program's own files; a timeout for a whole operation
    language/           words in and out: lexicon, patterns, understanding, phrases, wording; de/, en/: a folder each
    moves/              from a spoken move to the one that was meant: candidates, decision, refusals
    laws/               clock, time controls, editions, draws, mating material, touch-move, Chess960, adjournment
    score/              the score: PGN, Braille, lines of correspondence games; openings, searching for games
    game/               the session: state, phases, events in, effects out; Kind: the differences between kinds of game
    correspondence/     games over days: lines, days, conditional moves
    display/            simultaneous displays: several boards, one giver
    conversations/      conversations outside a game: the welcome, the calibration
    online/             games on a server, its lobby and challenges, and their conversations
    practice/           the frame of exercises; exercises/ one file each
    sound/              microphone, recogniser, voice, loudspeaker; devices/ PortAudio, miniaudio, files
    opponents/          engines over UCI, levels; people elsewhere, through lichess.org
    storage/            journal, settings, speech models, calibration results
    app/                the loop, the wiring of devices, the keyboard, turn-taking; page/ the board for spectators
    commands/, cli      one file a command

`language/` to `practice/` are pure: no clock, no thread, no device. `app.loop` is the one thread that owns a game;
devices only put events on its queue. No German or English in the code: all words are in `language/<code>/`.
"""

__version__ = "0.1.0"
