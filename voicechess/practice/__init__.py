"""Practice: exercises that are pure machines, with the same events and effects as a game.

task         a question of an exercise and how an answer is assessed; a `Course` makes tasks
answers      a player's meaning as an answer: a square, a piece, yes or no
positions    positions made for one move, and positions told in words
puzzle_lines what a line of the player's own file of puzzles says
drill        an exercise in progress: what is asked next, the count, what is heard and assessed
menu         the conversation before and between exercises, and a game after which its player may practise
schedule     what is learnt, what was answered, and when it is due again
report       how good the player is, in sentences and as a page
effects      what practice wants done besides the effects of a game

exercises/   lessons, notation, squares, paths, follow, recall, mates, puzzles: courses for a `Drill`;
             blindfold: a game with help that fades; review: the moments of a finished game;
             analysis: a game looked through with its variations; building: a position set up piece by piece

`app.practising` wires them to the devices and the engine, `app.practice_store` keeps them on disk,
`app.puzzle_file` reads the player's puzzles, `app.analysis_file` the games to be analysed.
"""
