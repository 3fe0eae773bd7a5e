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
INSERT INTO "event" VALUES(1,2,'Stood','{"v":1,"is":"Stood","at_ms":0,"moves":[],"white":{"is":"SideTime","bank_ms":3600000,"granted_ms":3600000,"spent_ms":0,"moves":0,"period_moves":0,"period":0},"black":{"is":"SideTime","bank_ms":3600000,"granted_ms":3600000,"spent_ms":0,"moves":0,"period_moves":0,"period":0}}');
INSERT INTO "event" VALUES(1,3,'Spoken','{"v":1,"is":"Spoken","at_ms":500,"number":1,"completed":true}');
INSERT INTO "event" VALUES(1,4,'Spoken','{"v":1,"is":"Spoken","at_ms":1000,"number":2,"completed":true}');
INSERT INTO "event" VALUES(1,5,'Spoken','{"v":1,"is":"Spoken","at_ms":1500,"number":3,"completed":true}');
INSERT INTO "event" VALUES(1,6,'Spoken','{"v":1,"is":"Spoken","at_ms":2000,"number":4,"completed":true}');
INSERT INTO "event" VALUES(1,7,'Heard','{"v":1,"is":"Heard","at_ms":3200,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","to_file":3,"to_rank":3,"captures":false,"en_passant":false},"cost":0.0,"words":"david vier"}],"words":"david vier","began_ms":2000,"ended_ms":3000,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,8,'Spoken','{"v":1,"is":"Spoken","at_ms":3700,"number":5,"completed":true}');
INSERT INTO "event" VALUES(1,9,'Stood','{"v":1,"is":"Stood","at_ms":3700,"moves":["d2d4"],"white":{"is":"SideTime","bank_ms":3600000,"granted_ms":3600000,"spent_ms":0,"moves":1,"period_moves":1,"period":0},"black":{"is":"SideTime","bank_ms":3600000,"granted_ms":3600000,"spent_ms":0,"moves":0,"period_moves":0,"period":0}}');
INSERT INTO "event" VALUES(1,10,'Heard','{"v":1,"is":"Heard","at_ms":4900,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","to_file":3,"to_rank":4,"captures":false,"en_passant":false},"cost":0.0,"words":"david f\u00fcnf"}],"words":"david f\u00fcnf","began_ms":3700,"ended_ms":4700,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,11,'Spoken','{"v":1,"is":"Spoken","at_ms":5400,"number":6,"completed":true}');
INSERT INTO "event" VALUES(1,12,'Stood','{"v":1,"is":"Stood","at_ms":5400,"moves":["d2d4","d7d5"],"white":{"is":"SideTime","bank_ms":3600000,"granted_ms":3600000,"spent_ms":0,"moves":1,"period_moves":1,"period":0},"black":{"is":"SideTime","bank_ms":3600000,"granted_ms":3600000,"spent_ms":0,"moves":1,"period_moves":1,"period":0}}');
INSERT INTO "event" VALUES(1,13,'Heard','{"v":1,"is":"Heard","at_ms":6600,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":2,"to_file":2,"to_rank":2,"captures":false,"en_passant":false},"cost":0.0,"words":"springer cesar drei"}],"words":"springer cesar drei","began_ms":5400,"ended_ms":6400,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,14,'Spoken','{"v":1,"is":"Spoken","at_ms":7100,"number":7,"completed":true}');
INSERT INTO "event" VALUES(1,15,'Stood','{"v":1,"is":"Stood","at_ms":7100,"moves":["d2d4","d7d5","b1c3"],"white":{"is":"SideTime","bank_ms":3600000,"granted_ms":3600000,"spent_ms":0,"moves":2,"period_moves":2,"period":0},"black":{"is":"SideTime","bank_ms":3600000,"granted_ms":3600000,"spent_ms":0,"moves":1,"period_moves":1,"period":0}}');
INSERT INTO "event" VALUES(1,16,'Heard','{"v":1,"is":"Heard","at_ms":8300,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":2,"to_file":5,"to_rank":5,"captures":false,"en_passant":false},"cost":0.0,"words":"springer felix sechs"}],"words":"springer felix sechs","began_ms":7100,"ended_ms":8100,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,17,'Spoken','{"v":1,"is":"Spoken","at_ms":8800,"number":8,"completed":true}');
INSERT INTO "event" VALUES(1,18,'Stood','{"v":1,"is":"Stood","at_ms":8800,"moves":["d2d4","d7d5","b1c3","g8f6"],"white":{"is":"SideTime","bank_ms":3600000,"granted_ms":3600000,"spent_ms":0,"moves":2,"period_moves":2,"period":0},"black":{"is":"SideTime","bank_ms":3600000,"granted_ms":3600000,"spent_ms":0,"moves":2,"period_moves":2,"period":0}}');
INSERT INTO "event" VALUES(1,19,'Heard','{"v":1,"is":"Heard","at_ms":10000,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":3,"to_file":6,"to_rank":4,"captures":false,"en_passant":false},"cost":0.0,"words":"l\u00e4ufer gustav f\u00fcnf"}],"words":"l\u00e4ufer gustav f\u00fcnf","began_ms":8800,"ended_ms":9800,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,20,'Spoken','{"v":1,"is":"Spoken","at_ms":10500,"number":9,"completed":true}');
INSERT INTO "event" VALUES(1,21,'Stood','{"v":1,"is":"Stood","at_ms":10500,"moves":["d2d4","d7d5","b1c3","g8f6","c1g5"],"white":{"is":"SideTime","bank_ms":3600000,"granted_ms":3600000,"spent_ms":0,"moves":3,"period_moves":3,"period":0},"black":{"is":"SideTime","bank_ms":3600000,"granted_ms":3600000,"spent_ms":0,"moves":2,"period_moves":2,"period":0}}');
INSERT INTO "event" VALUES(1,22,'Heard','{"v":1,"is":"Heard","at_ms":11700,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":2,"from_file":1,"to_file":3,"to_rank":6,"captures":false,"en_passant":false},"cost":0.0,"words":"springer bella david sieben"}],"words":"springer bella david sieben","began_ms":10500,"ended_ms":11500,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,23,'Spoken','{"v":1,"is":"Spoken","at_ms":12200,"number":10,"completed":true}');
INSERT INTO "event" VALUES(1,24,'Stood','{"v":1,"is":"Stood","at_ms":12200,"moves":["d2d4","d7d5","b1c3","g8f6","c1g5","b8d7"],"white":{"is":"SideTime","bank_ms":3600000,"granted_ms":3600000,"spent_ms":0,"moves":3,"period_moves":3,"period":0},"black":{"is":"SideTime","bank_ms":3600000,"granted_ms":3600000,"spent_ms":0,"moves":3,"period_moves":3,"period":0}}');
INSERT INTO "event" VALUES(1,25,'Heard','{"v":1,"is":"Heard","at_ms":13400,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","to_file":4,"to_rank":3,"captures":false,"en_passant":false},"cost":0.0,"words":"eva vier"}],"words":"eva vier","began_ms":12200,"ended_ms":13200,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,26,'Spoken','{"v":1,"is":"Spoken","at_ms":13900,"number":11,"completed":true}');
INSERT INTO "event" VALUES(1,27,'Stood','{"v":1,"is":"Stood","at_ms":13900,"moves":["d2d4","d7d5","b1c3","g8f6","c1g5","b8d7","e2e4"],"white":{"is":"SideTime","bank_ms":3600000,"granted_ms":3600000,"spent_ms":0,"moves":4,"period_moves":4,"period":0},"black":{"is":"SideTime","bank_ms":3600000,"granted_ms":3600000,"spent_ms":0,"moves":3,"period_moves":3,"period":0}}');
INSERT INTO "event" VALUES(1,28,'Heard','{"v":1,"is":"Heard","at_ms":15100,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","from_file":3,"to_file":4,"to_rank":3,"captures":true,"en_passant":false},"cost":0.0,"words":"david schl\u00e4gt eva vier"}],"words":"david schl\u00e4gt eva vier","began_ms":13900,"ended_ms":14900,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,29,'Spoken','{"v":1,"is":"Spoken","at_ms":15600,"number":12,"completed":true}');
INSERT INTO "event" VALUES(1,30,'Stood','{"v":1,"is":"Stood","at_ms":15600,"moves":["d2d4","d7d5","b1c3","g8f6","c1g5","b8d7","e2e4","d5e4"],"white":{"is":"SideTime","bank_ms":3600000,"granted_ms":3600000,"spent_ms":0,"moves":4,"period_moves":4,"period":0},"black":{"is":"SideTime","bank_ms":3600000,"granted_ms":3600000,"spent_ms":0,"moves":4,"period_moves":4,"period":0}}');
INSERT INTO "event" VALUES(1,31,'Heard','{"v":1,"is":"Heard","at_ms":16800,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":2,"captures":false,"en_passant":false},"cost":0.0,"words":"springer"}],"words":"springer","began_ms":15600,"ended_ms":16600,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,32,'Spoken','{"v":1,"is":"Spoken","at_ms":17300,"number":13,"completed":true}');
CREATE TABLE game (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  started TEXT NOT NULL,
  settings TEXT NOT NULL,
  result TEXT,
  termination TEXT
);
INSERT INTO "game" VALUES(1,'2026-11-20T12:00:00+00:00','{"v":1,"white":"voice","black":"voice","level":3,"time":"60d5","laws":1985,"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","preset":"casual","touch_move":false,"penalties":false,"white_name":"","black_name":""}',NULL,NULL);
CREATE TABLE preference (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('game',1);
COMMIT;
