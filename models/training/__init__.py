"""The recipe of the starter model: from nothing to a folder that Vosk loads.

synthesise -> label -> augment -> train -> align -> retrain -> write -> check. `python -m models.training` runs it;
README.md beside this file tells the order of steps and what each reads and leaves behind. Nothing here is needed
to play.
"""
