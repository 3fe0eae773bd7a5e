"""Practice: exercises that are pure machines, with the same events and effects as a game.

task        what a task is, how an answer is judged; a `Course` makes tasks
answers     a player's meaning as an answer: a square, a piece, yes or no
notation, squares, paths, follow, recall, mates    the courses; drawing and puzzles make their positions
drill       an exercise in progress (with questions: what comes next; tally: the count)
blindfold   a game against the machine with help that fades
review      the three moments of a finished game, and trying again from there
after       a game whose player may ask for its mistakes once it is over
menu        the conversation that hands the floor to one exercise at a time
skills, deck, progress, report    what is learnt, when it is due, how good somebody is
effects     what practice wants done besides a game's effects; performing, store and examiner do it
room        all of it in an open house
"""
