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
INSERT INTO "event" VALUES(1,2,'Stood','{"v":1,"is":"Stood","at_ms":0,"moves":[],"white":{"is":"SideTime","bank_ms":5400000,"granted_ms":5400000,"spent_ms":0,"moves":0,"period_moves":0,"period":0},"black":{"is":"SideTime","bank_ms":5400000,"granted_ms":5400000,"spent_ms":0,"moves":0,"period_moves":0,"period":0}}');
INSERT INTO "event" VALUES(1,3,'Spoken','{"v":1,"is":"Spoken","at_ms":500,"number":1,"completed":true}');
INSERT INTO "event" VALUES(1,4,'Spoken','{"v":1,"is":"Spoken","at_ms":1000,"number":2,"completed":true}');
INSERT INTO "event" VALUES(1,5,'Spoken','{"v":1,"is":"Spoken","at_ms":1500,"number":3,"completed":true}');
INSERT INTO "event" VALUES(1,6,'Heard','{"v":1,"is":"Heard","at_ms":2700,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":2,"to_file":5,"to_rank":2,"captures":false,"en_passant":false},"cost":0.0,"words":"springer felix drei"}],"words":"springer felix drei","began_ms":1500,"ended_ms":2500,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,7,'Spoken','{"v":1,"is":"Spoken","at_ms":3200,"number":4,"completed":true}');
INSERT INTO "event" VALUES(1,8,'Stood','{"v":1,"is":"Stood","at_ms":3200,"moves":["g1f3"],"white":{"is":"SideTime","bank_ms":5399000,"granted_ms":5400000,"spent_ms":1000,"moves":1,"period_moves":1,"period":0},"black":{"is":"SideTime","bank_ms":5399300,"granted_ms":5400000,"spent_ms":700,"moves":0,"period_moves":0,"period":0}}');
INSERT INTO "event" VALUES(1,9,'Heard','{"v":1,"is":"Heard","at_ms":4400,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":2,"to_file":5,"to_rank":5,"captures":false,"en_passant":false},"cost":0.0,"words":"springer felix sechs"}],"words":"springer felix sechs","began_ms":3200,"ended_ms":4200,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,10,'Spoken','{"v":1,"is":"Spoken","at_ms":4900,"number":5,"completed":true}');
INSERT INTO "event" VALUES(1,11,'Stood','{"v":1,"is":"Stood","at_ms":4900,"moves":["g1f3","g8f6"],"white":{"is":"SideTime","bank_ms":5398300,"granted_ms":5400000,"spent_ms":1700,"moves":1,"period_moves":1,"period":0},"black":{"is":"SideTime","bank_ms":5398300,"granted_ms":5400000,"spent_ms":1700,"moves":1,"period_moves":1,"period":0}}');
INSERT INTO "event" VALUES(1,12,'Heard','{"v":1,"is":"Heard","at_ms":6100,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":2,"to_file":6,"to_rank":0,"captures":false,"en_passant":false},"cost":0.0,"words":"springer gustav eins"}],"words":"springer gustav eins","began_ms":4900,"ended_ms":5900,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,13,'Spoken','{"v":1,"is":"Spoken","at_ms":6600,"number":6,"completed":true}');
INSERT INTO "event" VALUES(1,14,'Stood','{"v":1,"is":"Stood","at_ms":6600,"moves":["g1f3","g8f6","f3g1"],"white":{"is":"SideTime","bank_ms":5397300,"granted_ms":5400000,"spent_ms":2700,"moves":2,"period_moves":2,"period":0},"black":{"is":"SideTime","bank_ms":5397600,"granted_ms":5400000,"spent_ms":2400,"moves":1,"period_moves":1,"period":0}}');
INSERT INTO "event" VALUES(1,15,'Heard','{"v":1,"is":"Heard","at_ms":7800,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":2,"to_file":6,"to_rank":7,"captures":false,"en_passant":false},"cost":0.0,"words":"springer gustav acht"}],"words":"springer gustav acht","began_ms":6600,"ended_ms":7600,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,16,'Spoken','{"v":1,"is":"Spoken","at_ms":8300,"number":7,"completed":true}');
INSERT INTO "event" VALUES(1,17,'Stood','{"v":1,"is":"Stood","at_ms":8300,"moves":["g1f3","g8f6","f3g1","f6g8"],"white":{"is":"SideTime","bank_ms":5396600,"granted_ms":5400000,"spent_ms":3400,"moves":2,"period_moves":2,"period":0},"black":{"is":"SideTime","bank_ms":5396600,"granted_ms":5400000,"spent_ms":3400,"moves":2,"period_moves":2,"period":0}}');
INSERT INTO "event" VALUES(1,18,'Heard','{"v":1,"is":"Heard","at_ms":9500,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":2,"to_file":5,"to_rank":2,"captures":false,"en_passant":false},"cost":0.0,"words":"springer felix drei"}],"words":"springer felix drei","began_ms":8300,"ended_ms":9300,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,19,'Spoken','{"v":1,"is":"Spoken","at_ms":10000,"number":8,"completed":true}');
INSERT INTO "event" VALUES(1,20,'Stood','{"v":1,"is":"Stood","at_ms":10000,"moves":["g1f3","g8f6","f3g1","f6g8","g1f3"],"white":{"is":"SideTime","bank_ms":5395600,"granted_ms":5400000,"spent_ms":4400,"moves":3,"period_moves":3,"period":0},"black":{"is":"SideTime","bank_ms":5395900,"granted_ms":5400000,"spent_ms":4100,"moves":2,"period_moves":2,"period":0}}');
INSERT INTO "event" VALUES(1,21,'Heard','{"v":1,"is":"Heard","at_ms":11200,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":2,"to_file":5,"to_rank":5,"captures":false,"en_passant":false},"cost":0.0,"words":"springer felix sechs"}],"words":"springer felix sechs","began_ms":10000,"ended_ms":11000,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,22,'Spoken','{"v":1,"is":"Spoken","at_ms":11700,"number":9,"completed":true}');
INSERT INTO "event" VALUES(1,23,'Stood','{"v":1,"is":"Stood","at_ms":11700,"moves":["g1f3","g8f6","f3g1","f6g8","g1f3","g8f6"],"white":{"is":"SideTime","bank_ms":5394900,"granted_ms":5400000,"spent_ms":5100,"moves":3,"period_moves":3,"period":0},"black":{"is":"SideTime","bank_ms":5394900,"granted_ms":5400000,"spent_ms":5100,"moves":3,"period_moves":3,"period":0}}');
INSERT INTO "event" VALUES(1,24,'Heard','{"v":1,"is":"Heard","at_ms":12900,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":2,"to_file":6,"to_rank":0,"captures":false,"en_passant":false},"cost":0.0,"words":"springer gustav eins"}],"words":"springer gustav eins","began_ms":11700,"ended_ms":12700,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,25,'Spoken','{"v":1,"is":"Spoken","at_ms":13400,"number":10,"completed":true}');
INSERT INTO "event" VALUES(1,26,'Stood','{"v":1,"is":"Stood","at_ms":13400,"moves":["g1f3","g8f6","f3g1","f6g8","g1f3","g8f6","f3g1"],"white":{"is":"SideTime","bank_ms":5393900,"granted_ms":5400000,"spent_ms":6100,"moves":4,"period_moves":4,"period":0},"black":{"is":"SideTime","bank_ms":5394200,"granted_ms":5400000,"spent_ms":5800,"moves":3,"period_moves":3,"period":0}}');
INSERT INTO "event" VALUES(1,27,'Heard','{"v":1,"is":"Heard","at_ms":14600,"readings":[{"is":"Reading","meaning":{"is":"Command","name":"claim_threefold","slots":[]},"cost":0.0,"words":"stellungswiederholung"}],"words":"stellungswiederholung","began_ms":13400,"ended_ms":14400,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,28,'Spoken','{"v":1,"is":"Spoken","at_ms":15100,"number":11,"completed":true}');
INSERT INTO "event" VALUES(1,29,'Heard','{"v":1,"is":"Heard","at_ms":16300,"readings":[{"is":"Reading","meaning":{"is":"Answer","kind":"yes"},"cost":0.0,"words":"ja"}],"words":"ja","began_ms":15100,"ended_ms":16100,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,30,'Spoken','{"v":1,"is":"Spoken","at_ms":16800,"number":12,"completed":true}');
INSERT INTO "event" VALUES(1,31,'Heard','{"v":1,"is":"Heard","at_ms":18000,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":2,"to_file":6,"to_rank":7,"captures":false,"en_passant":false},"cost":0.0,"words":"springer gustav acht"}],"words":"springer gustav acht","began_ms":16800,"ended_ms":17800,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,32,'Spoken','{"v":1,"is":"Spoken","at_ms":18500,"number":13,"completed":true}');
INSERT INTO "event" VALUES(1,33,'Stood','{"v":1,"is":"Stood","at_ms":18500,"moves":["g1f3","g8f6","f3g1","f6g8","g1f3","g8f6","f3g1","f6g8"],"white":{"is":"SideTime","bank_ms":5513200,"granted_ms":5520000,"spent_ms":6800,"moves":4,"period_moves":4,"period":0},"black":{"is":"SideTime","bank_ms":5389800,"granted_ms":5400000,"spent_ms":10200,"moves":4,"period_moves":4,"period":0}}');
INSERT INTO "event" VALUES(1,34,'Heard','{"v":1,"is":"Heard","at_ms":19700,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":2,"to_file":5,"to_rank":2,"captures":false,"en_passant":false},"cost":0.0,"words":"springer felix drei"}],"words":"springer felix drei","began_ms":18500,"ended_ms":19500,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,35,'Spoken','{"v":1,"is":"Spoken","at_ms":20200,"number":14,"completed":true}');
INSERT INTO "event" VALUES(1,36,'Stood','{"v":1,"is":"Stood","at_ms":20200,"moves":["g1f3","g8f6","f3g1","f6g8","g1f3","g8f6","f3g1","f6g8","g1f3"],"white":{"is":"SideTime","bank_ms":5512200,"granted_ms":5520000,"spent_ms":7800,"moves":5,"period_moves":5,"period":0},"black":{"is":"SideTime","bank_ms":5389100,"granted_ms":5400000,"spent_ms":10900,"moves":4,"period_moves":4,"period":0}}');
INSERT INTO "event" VALUES(1,37,'Heard','{"v":1,"is":"Heard","at_ms":21400,"readings":[{"is":"Reading","meaning":{"is":"Command","name":"draw_offer","slots":[]},"cost":0.0,"words":"remis"}],"words":"remis","began_ms":20200,"ended_ms":21200,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,38,'Spoken','{"v":1,"is":"Spoken","at_ms":21900,"number":15,"completed":true}');
CREATE TABLE game (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  started TEXT NOT NULL,
  settings TEXT NOT NULL,
  result TEXT,
  termination TEXT
);
INSERT INTO "game" VALUES(1,'2026-11-20T12:00:00+00:00','{"v":1,"white":"voice","black":"voice","level":3,"time":"90","laws":2023,"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","preset":"casual","touch_move":false,"penalties":false,"white_name":"","black_name":""}',NULL,NULL);
CREATE TABLE preference (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('game',1);
COMMIT;
