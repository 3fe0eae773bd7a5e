"""Practice: exercises as pure state machines, with the same events and effects as a game.

task         a question of an exercise and the assessment of answers; a `Course` makes tasks
answers      a meaning as an answer: a square, a piece, yes or no
positions    positions generated for one move, and positions in words
puzzle_lines parser of the player's own puzzle files
drill        an exercise in progress: the next task, the count, recognised and assessed answers
menu         the conversation before and between exercises
after_game   the session of a game that may lead to an exercise
schedule     skills, answers, and when they are due again (spaced repetition)
report       the player's progress, in sentences and as a page
effects      effects and events of practice besides those of a game
courses      the table of exercises
found_sentences  sentences about games found

exercises/   lessons, notation, squares, paths, follow, recall, mates, puzzles: courses for a `Drill`;
             blindfold: a game with fading help; review: the key moments of a finished game;
             analysis: a game with its variations; building: a position set up piece by piece;
             finding: a search for games; watching, fetched: games and puzzles of a server

`app.practising` connects them to the devices and the engine, `app.practice_store` stores answers and bookmarks,
`app.puzzle_file` reads puzzle files, `app.analysis_file` games to be analysed.
"""
