"""Games on lichess.org, by its Board API (OpenAPI 2.0.165). This was never run against lichess.org itself.

wire         parses what the server sends into events and types of this program; pure and total
transport    requests, one at a time, and streams of lines: timeouts, limits, and failures as `ServerFault`
account      logging in (OAuth with PKCE, or a personal token), and where the token is stored
feeds        a stream that is kept open by reconnecting, and the one thread that sends
board_game   one game: its state as events; moves and wishes are sent exactly once
matchmaking  seeks, challenges, games in progress, friends
client       all of it for one account
"""
