"""A stand-in for lichess.org: the part of its published interface that this project speaks, with faults to order.

    clock       the time, that of the wall or moved by hand
    schemas     the published description, against which everything is held
    faults      what can go wrong
    games       one game: laws, clocks, offers, ends
    world       accounts, challenges, seeks, games, presence
    server      the endpoints
    standin     the thread it runs in, and what tests do to it

`python -m tests.drivers.lichess` runs it to be played at by hand. It was written from the description and the server's
source; nobody has compared it with lichess.org.
"""
