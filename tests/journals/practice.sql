PRAGMA application_id=1987012963;
PRAGMA user_version=1;
BEGIN TRANSACTION;
CREATE TABLE event (
  game INTEGER NOT NULL REFERENCES game (id),
  number INTEGER NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (game, number)
) WITHOUT ROWID;
INSERT INTO "event" VALUES(1,1,'Started','{"v":1,"is":"Started","at_ms":0,"introduced":false}');
INSERT INTO "event" VALUES(1,2,'Spoken','{"v":1,"is":"Spoken","at_ms":500,"number":1,"completed":true}');
INSERT INTO "event" VALUES(1,3,'Spoken','{"v":1,"is":"Spoken","at_ms":1000,"number":2,"completed":true}');
INSERT INTO "event" VALUES(1,4,'Heard','{"v":1,"is":"Heard","at_ms":2200,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","to_file":4,"to_rank":3,"captures":false,"en_passant":false},"cost":0.0,"words":"eva vier"}],"words":"eva vier","began_ms":1000,"ended_ms":2000,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,5,'Spoken','{"v":1,"is":"Spoken","at_ms":2700,"number":3,"completed":true}');
INSERT INTO "event" VALUES(1,6,'OpponentMoved','{"v":1,"is":"OpponentMoved","at_ms":4700,"uci":"c7c5","offers_draw":false,"claims_draw":false}');
INSERT INTO "event" VALUES(1,7,'Spoken','{"v":1,"is":"Spoken","at_ms":5200,"number":4,"completed":true}');
INSERT INTO "event" VALUES(1,8,'Heard','{"v":1,"is":"Heard","at_ms":6400,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":2,"to_file":5,"to_rank":2,"captures":false,"en_passant":false},"cost":0.0,"words":"springer felix drei"}],"words":"springer felix drei","began_ms":5200,"ended_ms":6200,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,9,'Spoken','{"v":1,"is":"Spoken","at_ms":6900,"number":5,"completed":true}');
INSERT INTO "event" VALUES(1,10,'OpponentMoved','{"v":1,"is":"OpponentMoved","at_ms":8900,"uci":"d7d6","offers_draw":false,"claims_draw":false}');
INSERT INTO "event" VALUES(1,11,'Spoken','{"v":1,"is":"Spoken","at_ms":9400,"number":6,"completed":true}');
INSERT INTO "event" VALUES(1,12,'Heard','{"v":1,"is":"Heard","at_ms":10600,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","to_file":3,"to_rank":3,"captures":false,"en_passant":false},"cost":0.0,"words":"david vier"}],"words":"david vier","began_ms":9400,"ended_ms":10400,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,13,'Spoken','{"v":1,"is":"Spoken","at_ms":11100,"number":7,"completed":true}');
INSERT INTO "event" VALUES(1,14,'OpponentMoved','{"v":1,"is":"OpponentMoved","at_ms":13100,"uci":"c5d4","offers_draw":false,"claims_draw":false}');
INSERT INTO "event" VALUES(1,15,'Spoken','{"v":1,"is":"Spoken","at_ms":13600,"number":8,"completed":true}');
INSERT INTO "event" VALUES(1,16,'Heard','{"v":1,"is":"Heard","at_ms":14800,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":2,"to_file":3,"to_rank":3,"captures":true,"en_passant":false},"cost":0.0,"words":"springer schl\u00e4gt david vier"}],"words":"springer schl\u00e4gt david vier","began_ms":13600,"ended_ms":14600,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,17,'Spoken','{"v":1,"is":"Spoken","at_ms":15300,"number":9,"completed":true}');
INSERT INTO "event" VALUES(1,18,'OpponentMoved','{"v":1,"is":"OpponentMoved","at_ms":17300,"uci":"g8f6","offers_draw":false,"claims_draw":false}');
INSERT INTO "event" VALUES(1,19,'Spoken','{"v":1,"is":"Spoken","at_ms":17800,"number":10,"completed":true}');
INSERT INTO "event" VALUES(1,20,'Heard','{"v":1,"is":"Heard","at_ms":19000,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":2,"to_file":2,"to_rank":2,"captures":false,"en_passant":false},"cost":0.0,"words":"springer cesar drei"}],"words":"springer cesar drei","began_ms":17800,"ended_ms":18800,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,21,'Spoken','{"v":1,"is":"Spoken","at_ms":19500,"number":11,"completed":true}');
INSERT INTO "event" VALUES(1,22,'OpponentMoved','{"v":1,"is":"OpponentMoved","at_ms":21500,"uci":"a7a6","offers_draw":false,"claims_draw":false}');
INSERT INTO "event" VALUES(1,23,'Spoken','{"v":1,"is":"Spoken","at_ms":22000,"number":12,"completed":true}');
INSERT INTO "event" VALUES(1,24,'Heard','{"v":1,"is":"Heard","at_ms":23200,"readings":[{"is":"Reading","meaning":{"is":"Unclear","reason":"no_sense"},"cost":0.0,"words":"l\u00e4ufer l\u00e4ufer eva zwei"}],"words":"l\u00e4ufer / l\u00e4ufer eva zwei","began_ms":22000,"ended_ms":23000,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,25,'Spoken','{"v":1,"is":"Spoken","at_ms":23700,"number":13,"completed":true}');
INSERT INTO "event" VALUES(1,26,'Heard','{"v":1,"is":"Heard","at_ms":24900,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","to_file":4,"to_rank":1,"captures":false,"en_passant":false},"cost":0.0,"words":"eva zwei"}],"words":"eva zwei","began_ms":23700,"ended_ms":24700,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,27,'Spoken','{"v":1,"is":"Spoken","at_ms":25400,"number":14,"completed":true}');
CREATE TABLE game (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  started TEXT NOT NULL,
  settings TEXT NOT NULL,
  result TEXT,
  termination TEXT
);
INSERT INTO "game" VALUES(1,'2026-11-20T12:00:00+00:00','{"v":1,"white":"voice","black":"engine","level":3,"time":"","laws":2023,"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","preset":"casual","touch_move":false,"penalties":false,"white_name":"","black_name":""}',NULL,NULL);
CREATE TABLE preference (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('game',1);
COMMIT;
