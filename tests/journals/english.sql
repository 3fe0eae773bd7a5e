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
INSERT INTO "event" VALUES(1,2,'Stood','{"v":1,"is":"Stood","at_ms":0,"moves":[],"white":{"is":"SideTime","bank_ms":600000,"granted_ms":600000,"spent_ms":0,"moves":0,"period_moves":0,"period":0},"black":{"is":"SideTime","bank_ms":600000,"granted_ms":600000,"spent_ms":0,"moves":0,"period_moves":0,"period":0}}');
INSERT INTO "event" VALUES(1,3,'Spoken','{"v":1,"is":"Spoken","at_ms":500,"number":1,"completed":true}');
INSERT INTO "event" VALUES(1,4,'Spoken','{"v":1,"is":"Spoken","at_ms":1000,"number":2,"completed":true}');
INSERT INTO "event" VALUES(1,5,'Spoken','{"v":1,"is":"Spoken","at_ms":1500,"number":3,"completed":true}');
INSERT INTO "event" VALUES(1,6,'Heard','{"v":1,"is":"Heard","at_ms":1500,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","to_file":4,"to_rank":3,"captures":false,"en_passant":false},"cost":0.0,"words":"e 4"}],"words":"e4","began_ms":1500,"ended_ms":1500,"source":"keyboard"}');
INSERT INTO "event" VALUES(1,7,'Spoken','{"v":1,"is":"Spoken","at_ms":2000,"number":4,"completed":true}');
INSERT INTO "event" VALUES(1,8,'Stood','{"v":1,"is":"Stood","at_ms":2000,"moves":["e2e4"],"white":{"is":"SideTime","bank_ms":605000,"granted_ms":605000,"spent_ms":0,"moves":1,"period_moves":1,"period":0},"black":{"is":"SideTime","bank_ms":600000,"granted_ms":600000,"spent_ms":0,"moves":0,"period_moves":0,"period":0}}');
INSERT INTO "event" VALUES(1,9,'OpponentMoved','{"v":1,"is":"OpponentMoved","at_ms":4000,"uci":"e7e5","offers_draw":false,"claims_draw":false}');
INSERT INTO "event" VALUES(1,10,'Stood','{"v":1,"is":"Stood","at_ms":4000,"moves":["e2e4","e7e5"],"white":{"is":"SideTime","bank_ms":605000,"granted_ms":605000,"spent_ms":0,"moves":1,"period_moves":1,"period":0},"black":{"is":"SideTime","bank_ms":603000,"granted_ms":605000,"spent_ms":2000,"moves":1,"period_moves":1,"period":0}}');
INSERT INTO "event" VALUES(1,11,'Spoken','{"v":1,"is":"Spoken","at_ms":4500,"number":5,"completed":true}');
INSERT INTO "event" VALUES(1,12,'Heard','{"v":1,"is":"Heard","at_ms":4500,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":2,"to_file":5,"to_rank":2,"captures":false,"en_passant":false},"cost":0.0,"words":"nf3"}],"words":"Nf3","began_ms":4500,"ended_ms":4500,"source":"keyboard"}');
INSERT INTO "event" VALUES(1,13,'Spoken','{"v":1,"is":"Spoken","at_ms":5000,"number":6,"completed":true}');
INSERT INTO "event" VALUES(1,14,'Stood','{"v":1,"is":"Stood","at_ms":5000,"moves":["e2e4","e7e5","g1f3"],"white":{"is":"SideTime","bank_ms":610000,"granted_ms":610000,"spent_ms":0,"moves":2,"period_moves":2,"period":0},"black":{"is":"SideTime","bank_ms":603000,"granted_ms":605000,"spent_ms":2000,"moves":1,"period_moves":1,"period":0}}');
INSERT INTO "event" VALUES(1,15,'OpponentFailed','{"v":1,"is":"OpponentFailed","at_ms":7000,"reason":"silent","final":false}');
INSERT INTO "event" VALUES(1,16,'Spoken','{"v":1,"is":"Spoken","at_ms":7500,"number":7,"completed":true}');
INSERT INTO "event" VALUES(1,17,'Spoken','{"v":1,"is":"Spoken","at_ms":8000,"number":8,"completed":true}');
INSERT INTO "event" VALUES(1,18,'OpponentMoved','{"v":1,"is":"OpponentMoved","at_ms":10000,"uci":"b8c6","offers_draw":false,"claims_draw":false}');
INSERT INTO "event" VALUES(1,19,'Stood','{"v":1,"is":"Stood","at_ms":10000,"moves":["e2e4","e7e5","g1f3","b8c6"],"white":{"is":"SideTime","bank_ms":610000,"granted_ms":610000,"spent_ms":0,"moves":2,"period_moves":2,"period":0},"black":{"is":"SideTime","bank_ms":603000,"granted_ms":610000,"spent_ms":7000,"moves":2,"period_moves":2,"period":0}}');
INSERT INTO "event" VALUES(1,20,'Spoken','{"v":1,"is":"Spoken","at_ms":10500,"number":9,"completed":true}');
INSERT INTO "event" VALUES(1,21,'Heard','{"v":1,"is":"Heard","at_ms":10500,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":3,"to_file":1,"to_rank":4,"captures":false,"en_passant":false},"cost":0.0,"words":"bb5"}],"words":"Bb5","began_ms":10500,"ended_ms":10500,"source":"keyboard"}');
INSERT INTO "event" VALUES(1,22,'Spoken','{"v":1,"is":"Spoken","at_ms":11000,"number":10,"completed":true}');
INSERT INTO "event" VALUES(1,23,'Stood','{"v":1,"is":"Stood","at_ms":11000,"moves":["e2e4","e7e5","g1f3","b8c6","f1b5"],"white":{"is":"SideTime","bank_ms":615000,"granted_ms":615000,"spent_ms":0,"moves":3,"period_moves":3,"period":0},"black":{"is":"SideTime","bank_ms":603000,"granted_ms":610000,"spent_ms":7000,"moves":2,"period_moves":2,"period":0}}');
INSERT INTO "event" VALUES(1,24,'OpponentFailed','{"v":1,"is":"OpponentFailed","at_ms":13000,"reason":"gone","final":true}');
INSERT INTO "event" VALUES(1,25,'Spoken','{"v":1,"is":"Spoken","at_ms":13500,"number":11,"completed":true}');
INSERT INTO "event" VALUES(1,26,'Spoken','{"v":1,"is":"Spoken","at_ms":14000,"number":12,"completed":true}');
INSERT INTO "event" VALUES(1,27,'Spoken','{"v":1,"is":"Spoken","at_ms":14500,"number":13,"completed":true}');
INSERT INTO "event" VALUES(1,28,'Heard','{"v":1,"is":"Heard","at_ms":15700,"readings":[{"is":"Reading","meaning":{"is":"Answer","kind":"yes"},"cost":0.0,"words":"yes"}],"words":"yes","began_ms":14500,"ended_ms":15500,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,29,'Spoken','{"v":1,"is":"Spoken","at_ms":16200,"number":14,"completed":true}');
INSERT INTO "event" VALUES(1,30,'Heard','{"v":1,"is":"Heard","at_ms":16200,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","to_file":0,"to_rank":5,"captures":false,"en_passant":false},"cost":0.0,"words":"a 6"}],"words":"a6","began_ms":16200,"ended_ms":16200,"source":"keyboard"}');
INSERT INTO "event" VALUES(1,31,'Spoken','{"v":1,"is":"Spoken","at_ms":16700,"number":15,"completed":true}');
INSERT INTO "event" VALUES(1,32,'Stood','{"v":1,"is":"Stood","at_ms":16700,"moves":["e2e4","e7e5","g1f3","b8c6","f1b5","a7a6"],"white":{"is":"SideTime","bank_ms":614500,"granted_ms":615000,"spent_ms":500,"moves":3,"period_moves":3,"period":0},"black":{"is":"SideTime","bank_ms":605500,"granted_ms":615000,"spent_ms":9500,"moves":3,"period_moves":3,"period":0}}');
INSERT INTO "event" VALUES(1,33,'Heard','{"v":1,"is":"Heard","at_ms":16700,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":3,"to_file":2,"to_rank":5,"captures":true,"en_passant":false},"cost":0.0,"words":"bxc6"}],"words":"Bxc6","began_ms":16700,"ended_ms":16700,"source":"keyboard"}');
INSERT INTO "event" VALUES(1,34,'Spoken','{"v":1,"is":"Spoken","at_ms":17200,"number":16,"completed":true}');
INSERT INTO "event" VALUES(1,35,'Stood','{"v":1,"is":"Stood","at_ms":17200,"moves":["e2e4","e7e5","g1f3","b8c6","f1b5","a7a6","b5c6"],"white":{"is":"SideTime","bank_ms":619500,"granted_ms":620000,"spent_ms":500,"moves":4,"period_moves":4,"period":0},"black":{"is":"SideTime","bank_ms":605000,"granted_ms":615000,"spent_ms":10000,"moves":3,"period_moves":3,"period":0}}');
INSERT INTO "event" VALUES(1,36,'Heard','{"v":1,"is":"Heard","at_ms":17200,"readings":[{"is":"Reading","meaning":{"is":"Command","name":"time","slots":[]},"cost":0.0,"words":"time"}],"words":"time","began_ms":17200,"ended_ms":17200,"source":"keyboard"}');
INSERT INTO "event" VALUES(1,37,'Spoken','{"v":1,"is":"Spoken","at_ms":17700,"number":17,"completed":true}');
INSERT INTO "event" VALUES(1,38,'Suspended','{"v":1,"is":"Suspended","at_ms":617700,"gap_ms":600000}');
INSERT INTO "event" VALUES(1,39,'Spoken','{"v":1,"is":"Spoken","at_ms":618200,"number":18,"completed":true}');
INSERT INTO "event" VALUES(1,40,'Spoken','{"v":1,"is":"Spoken","at_ms":618700,"number":19,"completed":true}');
INSERT INTO "event" VALUES(1,41,'Heard','{"v":1,"is":"Heard","at_ms":619900,"readings":[{"is":"Reading","meaning":{"is":"Command","name":"resume","slots":[]},"cost":0.0,"words":"resume"}],"words":"resume","began_ms":618700,"ended_ms":619700,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,42,'Spoken','{"v":1,"is":"Spoken","at_ms":620400,"number":20,"completed":true}');
INSERT INTO "event" VALUES(1,43,'Heard','{"v":1,"is":"Heard","at_ms":620400,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","from_file":3,"to_file":2,"to_rank":5,"captures":true,"en_passant":false},"cost":0.0,"words":"dxc6"}],"words":"dxc6","began_ms":620400,"ended_ms":620400,"source":"keyboard"}');
INSERT INTO "event" VALUES(1,44,'Spoken','{"v":1,"is":"Spoken","at_ms":620900,"number":21,"completed":true}');
INSERT INTO "event" VALUES(1,45,'Stood','{"v":1,"is":"Stood","at_ms":620900,"moves":["e2e4","e7e5","g1f3","b8c6","f1b5","a7a6","b5c6","d7c6"],"white":{"is":"SideTime","bank_ms":619000,"granted_ms":620000,"spent_ms":1000,"moves":4,"period_moves":4,"period":0},"black":{"is":"SideTime","bank_ms":609000,"granted_ms":620000,"spent_ms":11000,"moves":4,"period_moves":4,"period":0}}');
CREATE TABLE game (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  started TEXT NOT NULL,
  settings TEXT NOT NULL,
  result TEXT,
  termination TEXT
);
INSERT INTO "game" VALUES(1,'2026-11-20T12:00:00+00:00','{"v":1,"white":"voice","black":"engine","level":3,"time":"10+5","laws":2023,"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","preset":"casual","touch_move":false,"penalties":false,"white_name":"","black_name":""}',NULL,NULL);
CREATE TABLE preference (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('game',1);
COMMIT;
