"""Opponents from outside: a UCI engine in a child process, or people on a server.

levels      what the levels 1 to 10 mean, and how long an engine may think
discovery   which engines this machine has
temper      when an engine accepts, offers, claims a draw or resigns
uci         the protocol with the child process, guarded against floods and garbage
engine      `EngineOpponent`: thinks in its own thread and answers with events
lichess/    people elsewhere, through lichess.org
"""
