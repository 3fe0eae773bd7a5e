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
INSERT INTO "event" VALUES(1,2,'Stood','{"v":1,"is":"Stood","at_ms":0,"moves":[],"white":{"is":"SideTime","bank_ms":300000,"granted_ms":300000,"spent_ms":0,"moves":0,"period_moves":0,"period":0},"black":{"is":"SideTime","bank_ms":600000,"granted_ms":600000,"spent_ms":0,"moves":0,"period_moves":0,"period":0}}');
INSERT INTO "event" VALUES(1,3,'Spoken','{"v":1,"is":"Spoken","at_ms":500,"number":1,"completed":true}');
INSERT INTO "event" VALUES(1,4,'Spoken','{"v":1,"is":"Spoken","at_ms":1000,"number":2,"completed":true}');
INSERT INTO "event" VALUES(1,5,'Spoken','{"v":1,"is":"Spoken","at_ms":1500,"number":3,"completed":true}');
INSERT INTO "event" VALUES(1,6,'Spoken','{"v":1,"is":"Spoken","at_ms":2000,"number":4,"completed":true}');
INSERT INTO "event" VALUES(1,7,'Heard','{"v":1,"is":"Heard","at_ms":3200,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","from_file":4,"to_file":3,"to_rank":5,"captures":true,"en_passant":false},"cost":0.0,"words":"eva schl\u00e4gt david sechs"}],"words":"eva schl\u00e4gt david sechs","began_ms":2000,"ended_ms":3000,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,8,'Spoken','{"v":1,"is":"Spoken","at_ms":3700,"number":5,"completed":true}');
INSERT INTO "event" VALUES(1,9,'Stood','{"v":1,"is":"Stood","at_ms":3700,"moves":["e5d6"],"white":{"is":"SideTime","bank_ms":300000,"granted_ms":301000,"spent_ms":1000,"moves":1,"period_moves":1,"period":0},"black":{"is":"SideTime","bank_ms":599300,"granted_ms":600000,"spent_ms":700,"moves":0,"period_moves":0,"period":0}}');
INSERT INTO "event" VALUES(1,10,'Heard','{"v":1,"is":"Heard","at_ms":4900,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","to_file":6,"to_rank":0,"captures":false,"en_passant":false,"promotion":2},"cost":0.0,"words":"gustav eins springer"}],"words":"gustav eins springer","began_ms":3700,"ended_ms":4700,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,11,'Heard','{"v":1,"is":"Heard","at_ms":6100,"readings":[{"is":"Reading","meaning":{"is":"Command","name":"correct","slots":[]},"cost":0.0,"words":"korrektur"}],"words":"korrektur","began_ms":4900,"ended_ms":5900,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,12,'Spoken','{"v":1,"is":"Spoken","at_ms":6600,"number":6,"completed":true}');
INSERT INTO "event" VALUES(1,13,'Spoken','{"v":1,"is":"Spoken","at_ms":7100,"number":7,"completed":true}');
INSERT INTO "event" VALUES(1,14,'Heard','{"v":1,"is":"Heard","at_ms":8300,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","to_file":6,"to_rank":0,"captures":false,"en_passant":false,"promotion":5},"cost":0.0,"words":"gustav eins dame"}],"words":"gustav eins dame","began_ms":7100,"ended_ms":8100,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,15,'Spoken','{"v":1,"is":"Spoken","at_ms":8800,"number":8,"completed":true}');
INSERT INTO "event" VALUES(1,16,'Stood','{"v":1,"is":"Stood","at_ms":8800,"moves":["e5d6","g2g1q"],"white":{"is":"SideTime","bank_ms":299300,"granted_ms":301000,"spent_ms":1700,"moves":1,"period_moves":1,"period":0},"black":{"is":"SideTime","bank_ms":594900,"granted_ms":600000,"spent_ms":5100,"moves":1,"period_moves":1,"period":0}}');
INSERT INTO "event" VALUES(1,17,'Heard','{"v":1,"is":"Heard","at_ms":10000,"readings":[{"is":"Reading","meaning":{"is":"Command","name":"take_back","slots":[]},"cost":0.0,"words":"zur\u00fccknehmen"}],"words":"zur\u00fccknehmen","began_ms":8800,"ended_ms":9800,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,18,'Spoken','{"v":1,"is":"Spoken","at_ms":10500,"number":9,"completed":true}');
INSERT INTO "event" VALUES(1,19,'Heard','{"v":1,"is":"Heard","at_ms":11700,"readings":[{"is":"Reading","meaning":{"is":"Answer","kind":"yes"},"cost":0.0,"words":"ja"}],"words":"ja","began_ms":10500,"ended_ms":11500,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,20,'Stood','{"v":1,"is":"Stood","at_ms":11700,"moves":["e5d6"],"white":{"is":"SideTime","bank_ms":300000,"granted_ms":301000,"spent_ms":1000,"moves":1,"period_moves":1,"period":0},"black":{"is":"SideTime","bank_ms":600000,"granted_ms":600000,"spent_ms":0,"moves":0,"period_moves":0,"period":0}}');
INSERT INTO "event" VALUES(1,21,'Spoken','{"v":1,"is":"Spoken","at_ms":12200,"number":10,"completed":true}');
INSERT INTO "event" VALUES(1,22,'Heard','{"v":1,"is":"Heard","at_ms":13400,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":6,"to_file":6,"to_rank":1,"captures":false,"en_passant":false},"cost":0.0,"words":"k\u00f6nig gustav zwei"}],"words":"k\u00f6nig gustav zwei","began_ms":12200,"ended_ms":13200,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,23,'Spoken','{"v":1,"is":"Spoken","at_ms":13900,"number":11,"completed":true}');
INSERT INTO "event" VALUES(1,24,'Heard','{"v":1,"is":"Heard","at_ms":15100,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":6,"to_file":3,"to_rank":5,"captures":false,"en_passant":false},"cost":0.0,"words":"k\u00f6nig david sechs"}],"words":"k\u00f6nig david sechs","began_ms":13900,"ended_ms":14900,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,25,'Spoken','{"v":1,"is":"Spoken","at_ms":15600,"number":12,"completed":true}');
INSERT INTO "event" VALUES(1,26,'Stood','{"v":1,"is":"Stood","at_ms":15600,"moves":["e5d6","d7d6"],"white":{"is":"SideTime","bank_ms":299300,"granted_ms":301000,"spent_ms":1700,"moves":1,"period_moves":1,"period":0},"black":{"is":"SideTime","bank_ms":596800,"granted_ms":600000,"spent_ms":3200,"moves":1,"period_moves":1,"period":0}}');
INSERT INTO "event" VALUES(1,27,'Heard','{"v":1,"is":"Heard","at_ms":16800,"readings":[{"is":"Reading","meaning":{"is":"Command","name":"claim_fifty","slots":[]},"cost":0.0,"words":"f\u00fcnfzig z\u00fcge"}],"words":"f\u00fcnfzig z\u00fcge","began_ms":15600,"ended_ms":16600,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,28,'Spoken','{"v":1,"is":"Spoken","at_ms":17300,"number":13,"completed":true}');
INSERT INTO "event" VALUES(1,29,'Heard','{"v":1,"is":"Heard","at_ms":18500,"readings":[{"is":"Reading","meaning":{"is":"Answer","kind":"yes"},"cost":0.0,"words":"ja"}],"words":"ja","began_ms":17300,"ended_ms":18300,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,30,'Spoken','{"v":1,"is":"Spoken","at_ms":19000,"number":14,"completed":true}');
INSERT INTO "event" VALUES(1,31,'Heard','{"v":1,"is":"Heard","at_ms":20200,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","to_file":0,"to_rank":7,"captures":false,"en_passant":false},"cost":0.0,"words":"anna acht"}],"words":"anna acht","began_ms":19000,"ended_ms":20000,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,32,'Spoken','{"v":1,"is":"Spoken","at_ms":20700,"number":15,"completed":true}');
INSERT INTO "event" VALUES(1,33,'Heard','{"v":1,"is":"Heard","at_ms":21900,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","captures":false,"en_passant":false,"promotion":4},"cost":0.0,"words":"turm"}],"words":"turm","began_ms":20700,"ended_ms":21700,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,34,'Spoken','{"v":1,"is":"Spoken","at_ms":22400,"number":16,"completed":true}');
INSERT INTO "event" VALUES(1,35,'Stood','{"v":1,"is":"Stood","at_ms":22400,"moves":["e5d6","d7d6","a7a8r"],"white":{"is":"SideTime","bank_ms":296200,"granted_ms":304000,"spent_ms":7800,"moves":2,"period_moves":2,"period":0},"black":{"is":"SideTime","bank_ms":656100,"granted_ms":660000,"spent_ms":3900,"moves":1,"period_moves":1,"period":0}}');
INSERT INTO "event" VALUES(1,36,'Heard','{"v":1,"is":"Heard","at_ms":23600,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":6,"to_file":2,"to_rank":5,"captures":false,"en_passant":false},"cost":0.0,"words":"k\u00f6nig cesar sechs"}],"words":"k\u00f6nig cesar sechs","began_ms":22400,"ended_ms":23400,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,37,'Spoken','{"v":1,"is":"Spoken","at_ms":24100,"number":17,"completed":true}');
INSERT INTO "event" VALUES(1,38,'Stood','{"v":1,"is":"Stood","at_ms":24100,"moves":["e5d6","d7d6","a7a8r","d6c6"],"white":{"is":"SideTime","bank_ms":295500,"granted_ms":304000,"spent_ms":8500,"moves":2,"period_moves":2,"period":0},"black":{"is":"SideTime","bank_ms":655100,"granted_ms":660000,"spent_ms":4900,"moves":2,"period_moves":2,"period":0}}');
INSERT INTO "event" VALUES(1,39,'Heard','{"v":1,"is":"Heard","at_ms":25300,"readings":[{"is":"Reading","meaning":{"is":"Command","name":"retrace","slots":[["number",61]]},"cost":0.0,"words":"zur\u00fcck zu zug ein und sechzig"}],"words":"zur\u00fcck zu zug einundsechzig","began_ms":24100,"ended_ms":25100,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,40,'Spoken','{"v":1,"is":"Spoken","at_ms":25800,"number":18,"completed":true}');
INSERT INTO "event" VALUES(1,41,'Heard','{"v":1,"is":"Heard","at_ms":27000,"readings":[{"is":"Reading","meaning":{"is":"Answer","kind":"yes"},"cost":0.0,"words":"ja"}],"words":"ja","began_ms":25800,"ended_ms":26800,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,42,'Spoken','{"v":1,"is":"Spoken","at_ms":27500,"number":19,"completed":true}');
CREATE TABLE game (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  started TEXT NOT NULL,
  settings TEXT NOT NULL,
  result TEXT,
  termination TEXT
);
INSERT INTO "game" VALUES(1,'2026-11-20T12:00:00+00:00','{"v":1,"white":"voice","black":"voice","level":3,"time":"5b3|10","laws":2023,"fen":"8/P2k4/8/3pP3/8/8/6pK/8 w - d6 0 60","preset":"casual","touch_move":false,"penalties":false,"white_name":"","black_name":""}',NULL,NULL);
CREATE TABLE preference (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('game',1);
COMMIT;
