"""Games on lichess.org, by its Board API (OpenAPI 2.0.165). This was never run against lichess.org itself.

wire         what the server sends, as events and types of ours; pure, and total whatever comes
transport    requests, one at a time, and streams of lines: timeouts, limits, and what can go wrong as `ServerFault`
account      logging in (OAuth with PKCE, or a personal token), and where the token is kept
feeds        a stream that is kept open: reconnecting, and one thread for what is sent
board_game   one game: its state as events, moves and wishes sent, never twice
matchmaking  seeks, challenges, games in progress, friends
client       all of it for one account
"""
