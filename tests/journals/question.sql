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
INSERT INTO "event" VALUES(1,2,'Stood','{"v":1,"is":"Stood","at_ms":0,"moves":[],"white":{"is":"SideTime","bank_ms":300000,"granted_ms":300000,"spent_ms":0,"moves":0,"period_moves":0,"period":0},"black":{"is":"SideTime","bank_ms":300000,"granted_ms":300000,"spent_ms":0,"moves":0,"period_moves":0,"period":0}}');
INSERT INTO "event" VALUES(1,3,'Spoken','{"v":1,"is":"Spoken","at_ms":500,"number":1,"completed":true}');
INSERT INTO "event" VALUES(1,4,'Spoken','{"v":1,"is":"Spoken","at_ms":1000,"number":2,"completed":true}');
INSERT INTO "event" VALUES(1,5,'Spoken','{"v":1,"is":"Spoken","at_ms":1500,"number":3,"completed":true}');
INSERT INTO "event" VALUES(1,6,'Heard','{"v":1,"is":"Heard","at_ms":2700,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":2,"to_file":5,"to_rank":2,"captures":false,"en_passant":false},"cost":0.0,"words":"springer felix drei"}],"words":"springer felix drei","began_ms":1500,"ended_ms":2500,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,7,'Spoken','{"v":1,"is":"Spoken","at_ms":3200,"number":4,"completed":true}');
INSERT INTO "event" VALUES(1,8,'Stood','{"v":1,"is":"Stood","at_ms":3200,"moves":["g1f3"],"white":{"is":"SideTime","bank_ms":302000,"granted_ms":303000,"spent_ms":1000,"moves":1,"period_moves":1,"period":0},"black":{"is":"SideTime","bank_ms":300000,"granted_ms":300000,"spent_ms":0,"moves":0,"period_moves":0,"period":0}}');
INSERT INTO "event" VALUES(1,9,'OpponentMoved','{"v":1,"is":"OpponentMoved","at_ms":5200,"uci":"d7d5","offers_draw":false,"claims_draw":false}');
INSERT INTO "event" VALUES(1,10,'Stood','{"v":1,"is":"Stood","at_ms":5200,"moves":["g1f3","d7d5"],"white":{"is":"SideTime","bank_ms":302000,"granted_ms":303000,"spent_ms":1000,"moves":1,"period_moves":1,"period":0},"black":{"is":"SideTime","bank_ms":301000,"granted_ms":303000,"spent_ms":2000,"moves":1,"period_moves":1,"period":0}}');
INSERT INTO "event" VALUES(1,11,'Spoken','{"v":1,"is":"Spoken","at_ms":5700,"number":5,"completed":true}');
INSERT INTO "event" VALUES(1,12,'Heard','{"v":1,"is":"Heard","at_ms":6900,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","to_file":3,"to_rank":2,"captures":false,"en_passant":false},"cost":0.0,"words":"david drei"}],"words":"david drei","began_ms":5700,"ended_ms":6700,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,13,'Spoken','{"v":1,"is":"Spoken","at_ms":7400,"number":6,"completed":true}');
INSERT INTO "event" VALUES(1,14,'Stood','{"v":1,"is":"Stood","at_ms":7400,"moves":["g1f3","d7d5","d2d3"],"white":{"is":"SideTime","bank_ms":304000,"granted_ms":306000,"spent_ms":2000,"moves":2,"period_moves":2,"period":0},"black":{"is":"SideTime","bank_ms":301000,"granted_ms":303000,"spent_ms":2000,"moves":1,"period_moves":1,"period":0}}');
INSERT INTO "event" VALUES(1,15,'OpponentMoved','{"v":1,"is":"OpponentMoved","at_ms":9400,"uci":"g8f6","offers_draw":false,"claims_draw":false}');
INSERT INTO "event" VALUES(1,16,'Stood','{"v":1,"is":"Stood","at_ms":9400,"moves":["g1f3","d7d5","d2d3","g8f6"],"white":{"is":"SideTime","bank_ms":304000,"granted_ms":306000,"spent_ms":2000,"moves":2,"period_moves":2,"period":0},"black":{"is":"SideTime","bank_ms":302000,"granted_ms":306000,"spent_ms":4000,"moves":2,"period_moves":2,"period":0}}');
INSERT INTO "event" VALUES(1,17,'Spoken','{"v":1,"is":"Spoken","at_ms":9900,"number":7,"completed":true}');
INSERT INTO "event" VALUES(1,18,'Heard','{"v":1,"is":"Heard","at_ms":11100,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":2,"to_file":3,"to_rank":1,"captures":false,"en_passant":false},"cost":0.0,"words":"springer david zwei"}],"words":"springer david zwei","began_ms":9900,"ended_ms":10900,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,19,'Spoken','{"v":1,"is":"Spoken","at_ms":11600,"number":8,"completed":true}');
CREATE TABLE game (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  started TEXT NOT NULL,
  settings TEXT NOT NULL,
  result TEXT,
  termination TEXT
);
INSERT INTO "game" VALUES(1,'2026-11-20T12:00:00+00:00','{"v":1,"white":"voice","black":"engine","level":3,"time":"5+3","laws":2023,"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","preset":"casual","touch_move":false,"penalties":false,"white_name":"","black_name":""}',NULL,NULL);
CREATE TABLE preference (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('game',1);
COMMIT;
