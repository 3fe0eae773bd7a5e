"""The page with the board for sighted spectators: what it shows (`shown`), its server (`server`), the page itself."""
