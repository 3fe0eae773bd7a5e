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
INSERT INTO "event" VALUES(1,2,'Stood','{"v":1,"is":"Stood","at_ms":0,"moves":[],"white":{"is":"SideTime","bank_ms":180000,"granted_ms":180000,"spent_ms":0,"moves":0,"period_moves":0,"period":0},"black":{"is":"SideTime","bank_ms":180000,"granted_ms":180000,"spent_ms":0,"moves":0,"period_moves":0,"period":0}}');
INSERT INTO "event" VALUES(1,3,'Spoken','{"v":1,"is":"Spoken","at_ms":500,"number":1,"completed":true}');
INSERT INTO "event" VALUES(1,4,'Spoken','{"v":1,"is":"Spoken","at_ms":1000,"number":2,"completed":true}');
INSERT INTO "event" VALUES(1,5,'Spoken','{"v":1,"is":"Spoken","at_ms":1500,"number":3,"completed":true}');
INSERT INTO "event" VALUES(1,6,'OpponentMoved','{"v":1,"is":"OpponentMoved","at_ms":3500,"uci":"f2f3","offers_draw":false,"claims_draw":false}');
INSERT INTO "event" VALUES(1,7,'Stood','{"v":1,"is":"Stood","at_ms":3500,"moves":["f2f3"],"white":{"is":"SideTime","bank_ms":178500,"granted_ms":182000,"spent_ms":3500,"moves":1,"period_moves":1,"period":0},"black":{"is":"SideTime","bank_ms":180000,"granted_ms":180000,"spent_ms":0,"moves":0,"period_moves":0,"period":0}}');
INSERT INTO "event" VALUES(1,8,'Spoken','{"v":1,"is":"Spoken","at_ms":4000,"number":4,"completed":true}');
INSERT INTO "event" VALUES(1,9,'Heard','{"v":1,"is":"Heard","at_ms":5200,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","to_file":4,"to_rank":4,"captures":false,"en_passant":false},"cost":0.0,"words":"eva f\u00fcnf"}],"words":"eva f\u00fcnf","began_ms":4000,"ended_ms":5000,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,10,'Spoken','{"v":1,"is":"Spoken","at_ms":5700,"number":5,"completed":true}');
INSERT INTO "event" VALUES(1,11,'Stood','{"v":1,"is":"Stood","at_ms":5700,"moves":["f2f3","e7e5"],"white":{"is":"SideTime","bank_ms":178500,"granted_ms":182000,"spent_ms":3500,"moves":1,"period_moves":1,"period":0},"black":{"is":"SideTime","bank_ms":181000,"granted_ms":182000,"spent_ms":1000,"moves":1,"period_moves":1,"period":0}}');
INSERT INTO "event" VALUES(1,12,'OpponentMoved','{"v":1,"is":"OpponentMoved","at_ms":7700,"uci":"g2g4","offers_draw":true,"claims_draw":false}');
INSERT INTO "event" VALUES(1,13,'Stood','{"v":1,"is":"Stood","at_ms":7700,"moves":["f2f3","e7e5","g2g4"],"white":{"is":"SideTime","bank_ms":178500,"granted_ms":184000,"spent_ms":5500,"moves":2,"period_moves":2,"period":0},"black":{"is":"SideTime","bank_ms":181000,"granted_ms":182000,"spent_ms":1000,"moves":1,"period_moves":1,"period":0}}');
INSERT INTO "event" VALUES(1,14,'Spoken','{"v":1,"is":"Spoken","at_ms":8200,"number":6,"completed":true}');
INSERT INTO "event" VALUES(1,15,'Spoken','{"v":1,"is":"Spoken","at_ms":8700,"number":7,"completed":true}');
INSERT INTO "event" VALUES(1,16,'Heard','{"v":1,"is":"Heard","at_ms":9900,"readings":[{"is":"Reading","meaning":{"is":"Command","name":"pause","slots":[]},"cost":0.0,"words":"pause"}],"words":"pause","began_ms":8700,"ended_ms":9700,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,17,'Spoken','{"v":1,"is":"Spoken","at_ms":10400,"number":8,"completed":true}');
INSERT INTO "event" VALUES(1,18,'Heard','{"v":1,"is":"Heard","at_ms":71600,"readings":[{"is":"Reading","meaning":{"is":"Command","name":"resume","slots":[]},"cost":0.0,"words":"weiter"}],"words":"weiter","began_ms":70400,"ended_ms":71400,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,19,'Spoken','{"v":1,"is":"Spoken","at_ms":72100,"number":9,"completed":true}');
INSERT INTO "event" VALUES(1,20,'Resumed','{"v":1,"is":"Resumed","at_ms":82100}');
INSERT INTO "event" VALUES(1,21,'Spoken','{"v":1,"is":"Spoken","at_ms":82600,"number":10,"completed":true}');
INSERT INTO "event" VALUES(1,22,'Spoken','{"v":1,"is":"Spoken","at_ms":83100,"number":11,"completed":true}');
INSERT INTO "event" VALUES(1,23,'Spoken','{"v":1,"is":"Spoken","at_ms":83600,"number":12,"completed":true}');
INSERT INTO "event" VALUES(1,24,'Spoken','{"v":1,"is":"Spoken","at_ms":84100,"number":13,"completed":true}');
INSERT INTO "event" VALUES(1,25,'Heard','{"v":1,"is":"Heard","at_ms":85300,"readings":[{"is":"Reading","meaning":{"is":"Command","name":"draw_decline","slots":[]},"cost":0.0,"words":"ablehnen"}],"words":"ablehnen","began_ms":84100,"ended_ms":85100,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,26,'Spoken','{"v":1,"is":"Spoken","at_ms":85800,"number":14,"completed":true}');
INSERT INTO "event" VALUES(1,27,'Heard','{"v":1,"is":"Heard","at_ms":87000,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":5,"to_file":7,"to_rank":3,"captures":false,"en_passant":false},"cost":0.0,"words":"dame hector vier"}],"words":"dame hector vier","began_ms":85800,"ended_ms":86800,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,28,'Spoken','{"v":1,"is":"Spoken","at_ms":87500,"number":15,"completed":true}');
INSERT INTO "event" VALUES(1,29,'Stood','{"v":1,"is":"Stood","at_ms":87500,"moves":["f2f3","e7e5","g2g4","d8h4"],"white":{"is":"SideTime","bank_ms":177800,"granted_ms":184000,"spent_ms":6200,"moves":2,"period_moves":2,"period":0},"black":{"is":"SideTime","bank_ms":178600,"granted_ms":184000,"spent_ms":5400,"moves":2,"period_moves":2,"period":0}}');
INSERT INTO "event" VALUES(1,30,'Spoken','{"v":1,"is":"Spoken","at_ms":88000,"number":16,"completed":true}');
INSERT INTO "event" VALUES(1,31,'Spoken','{"v":1,"is":"Spoken","at_ms":88500,"number":17,"completed":true}');
CREATE TABLE game (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  started TEXT NOT NULL,
  settings TEXT NOT NULL,
  result TEXT,
  termination TEXT
);
INSERT INTO "game" VALUES(1,'2026-11-20T12:00:00+00:00','{"v":1,"white":"engine","black":"voice","level":3,"time":"3+2","laws":2023,"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","preset":"casual","touch_move":false,"penalties":false,"white_name":"","black_name":""}','0-1','checkmate');
CREATE TABLE preference (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('game',1);
COMMIT;
