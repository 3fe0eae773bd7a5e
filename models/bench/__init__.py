"""Measurements, run by `voicechess bench`; not in the wheel. Each has a file of its name: `hearing` from sound to move,
`model` a speech model alone, `speed` waiting times and costs, `tuning` thresholds and costs of confusion, `echo`
barge-in through a loudspeaker, `room` games in a simulated room, `wordings` lines as people type and say them.

synthesis    espeak-ng with reproducible samples; accents; which voices are reserved for what
natural      voices made from people, one synthesiser a file: pico, festival, flite (with functions of the same names on
             purpose), and diphones, which plans a language with the phones of another one
samples      test items, rendered to sound in the process that decodes them; their recordings and noises
decoding     worker processes with a model each, and recognition with plain grammars; listening: the game's recogniser
announcing   positions and the ways to announce a move; vocabulary: all words of a language
hearing_sets, hearing_parts, hearing_rooms, model_sets    the test sets
deciders     three ways of deciding: the game, the best hypothesis literally, legal moves only
report, hearing_report, model_report       counts, tables, JSON
letter_margins, prototype_lines    data files of a language, made from the tuning sets and from files of wordings
loudspeaker  a simulated echo path; beside_talk, answering: parts of `speed`; right_behind: moves behind announcements
footprint    memory and time of a model; ready: the child process by which `speed` measures a start
"""
