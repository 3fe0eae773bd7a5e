"""The page with the board, for whoever sees: what it shows (`shown`), its server (`server`), and the page itself."""
