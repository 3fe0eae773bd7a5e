"""Measuring: speech models by themselves (`model`), the way from sound to move (`hearing`), waiting and cost (`speed`).

voices       which synthetic voices are kept for what
synthesis    espeak-ng through ctypes, the same samples every time;  accents  German with a foreign tongue
natural      voices made from people;  pico, festival, flite  their synthesisers;  diphones  German by diphone voices
mixing       levels, noise, rooms, telephones;  recordings  people and noise beside the project;  crowd  many of them
samples      who says what under which conditions, made into sound where it is decoded
workers      processes with a model each;  decoding  plain grammars;  listening  the game's own recogniser
model_sets, hearing_sets    what is played, with correcting_sets, noisy_answers
positions, announcing, replies    the chess in it
deciders     ours, the best hypothesis literally, legal moves only;  trials  how an item ended
tally, report, model_report, hearing_report    counts, tables, JSON
"""
