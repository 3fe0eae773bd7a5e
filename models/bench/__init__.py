"""Measuring: speech models by themselves (`model`), the way from sound to move (`hearing`), waiting and cost (`speed`),
the choice of thresholds and costs (`tuning`), words said into the program's own speech (`echo`). `voicechess bench`
runs them; none of it is in the wheel.

synthesis    espeak-ng, the same samples every time; accents; which voices are kept for what
natural      voices made from people, by one synthesiser a file: pico, festival, flite (their functions have the same
             names on purpose), and diphones, German said with the sounds of another language
mixing       levels, noise, rooms, telephones
samples      recordings, noises and what is said under which conditions, made into sound where it is decoded
decoding     processes with a model each, plain grammars; listening: the game's own recogniser
announcing   positions and the ways to announce a move; vocabulary: all words of the language
hearing_sets, hearing_parts, hearing_rooms, model_sets    what is played
deciders     three ways of deciding: ours, the best hypothesis literally, legal moves only
report, hearing_report, model_report       counts, tables, JSON
canceller    takes what a loudspeaker plays out of what a microphone hears
footprint    memory and time of a model; ready: the child process that `speed` starts to measure a start
"""
