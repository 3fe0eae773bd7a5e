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
INSERT INTO "event" VALUES(1,6,'Heard','{"v":1,"is":"Heard","at_ms":2700,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","to_file":4,"to_rank":3,"captures":false,"en_passant":false},"cost":0.0,"words":"eva vier"}],"words":"eva vier","began_ms":1500,"ended_ms":2500,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,7,'Spoken','{"v":1,"is":"Spoken","at_ms":3200,"number":4,"completed":true}');
INSERT INTO "event" VALUES(1,8,'Stood','{"v":1,"is":"Stood","at_ms":3200,"moves":["e2e4"],"white":{"is":"SideTime","bank_ms":5429000,"granted_ms":5430000,"spent_ms":1000,"moves":1,"period_moves":1,"period":0},"black":{"is":"SideTime","bank_ms":5399300,"granted_ms":5400000,"spent_ms":700,"moves":0,"period_moves":0,"period":0}}');
INSERT INTO "event" VALUES(1,9,'Heard','{"v":1,"is":"Heard","at_ms":4400,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","to_file":4,"to_rank":4,"captures":false,"en_passant":false},"cost":0.0,"words":"eva f\u00fcnf"}],"words":"eva f\u00fcnf","began_ms":3200,"ended_ms":4200,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,10,'Spoken','{"v":1,"is":"Spoken","at_ms":4900,"number":5,"completed":true}');
INSERT INTO "event" VALUES(1,11,'Stood','{"v":1,"is":"Stood","at_ms":4900,"moves":["e2e4","e7e5"],"white":{"is":"SideTime","bank_ms":5428300,"granted_ms":5430000,"spent_ms":1700,"moves":1,"period_moves":1,"period":0},"black":{"is":"SideTime","bank_ms":5428300,"granted_ms":5430000,"spent_ms":1700,"moves":1,"period_moves":1,"period":0}}');
INSERT INTO "event" VALUES(1,12,'Heard','{"v":1,"is":"Heard","at_ms":6100,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":2,"to_file":5,"to_rank":2,"captures":false,"en_passant":false},"cost":0.0,"words":"springer felix drei"}],"words":"springer felix drei","began_ms":4900,"ended_ms":5900,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,13,'Spoken','{"v":1,"is":"Spoken","at_ms":6600,"number":6,"completed":true}');
INSERT INTO "event" VALUES(1,14,'Stood','{"v":1,"is":"Stood","at_ms":6600,"moves":["e2e4","e7e5","g1f3"],"white":{"is":"SideTime","bank_ms":5457300,"granted_ms":5460000,"spent_ms":2700,"moves":2,"period_moves":2,"period":0},"black":{"is":"SideTime","bank_ms":5427600,"granted_ms":5430000,"spent_ms":2400,"moves":1,"period_moves":1,"period":0}}');
INSERT INTO "event" VALUES(1,15,'Heard','{"v":1,"is":"Heard","at_ms":7800,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":2,"to_file":2,"to_rank":5,"captures":false,"en_passant":false},"cost":0.0,"words":"springer cesar sechs"}],"words":"springer cesar sechs","began_ms":6600,"ended_ms":7600,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,16,'Spoken','{"v":1,"is":"Spoken","at_ms":8300,"number":7,"completed":true}');
INSERT INTO "event" VALUES(1,17,'Stood','{"v":1,"is":"Stood","at_ms":8300,"moves":["e2e4","e7e5","g1f3","b8c6"],"white":{"is":"SideTime","bank_ms":5456600,"granted_ms":5460000,"spent_ms":3400,"moves":2,"period_moves":2,"period":0},"black":{"is":"SideTime","bank_ms":5456600,"granted_ms":5460000,"spent_ms":3400,"moves":2,"period_moves":2,"period":0}}');
INSERT INTO "event" VALUES(1,18,'Heard','{"v":1,"is":"Heard","at_ms":9500,"readings":[{"is":"Reading","meaning":{"is":"Command","name":"draw_offer","slots":[]},"cost":0.0,"words":"remis"}],"words":"remis","began_ms":8300,"ended_ms":9300,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,19,'Spoken','{"v":1,"is":"Spoken","at_ms":10000,"number":8,"completed":true}');
INSERT INTO "event" VALUES(1,20,'Heard','{"v":1,"is":"Heard","at_ms":11200,"readings":[{"is":"Reading","meaning":{"is":"Answer","kind":"yes"},"cost":0.0,"words":"ja"}],"words":"ja","began_ms":10000,"ended_ms":11000,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,21,'Spoken','{"v":1,"is":"Spoken","at_ms":11700,"number":9,"completed":true}');
INSERT INTO "event" VALUES(1,22,'Heard','{"v":1,"is":"Heard","at_ms":12900,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":3,"to_file":1,"to_rank":4,"captures":false,"en_passant":false},"cost":0.0,"words":"l\u00e4ufer bella f\u00fcnf"}],"words":"l\u00e4ufer bella f\u00fcnf","began_ms":11700,"ended_ms":12700,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,23,'Spoken','{"v":1,"is":"Spoken","at_ms":13400,"number":10,"completed":true}');
INSERT INTO "event" VALUES(1,24,'Stood','{"v":1,"is":"Stood","at_ms":13400,"moves":["e2e4","e7e5","g1f3","b8c6","f1b5"],"white":{"is":"SideTime","bank_ms":5482200,"granted_ms":5490000,"spent_ms":7800,"moves":3,"period_moves":3,"period":0},"black":{"is":"SideTime","bank_ms":5455900,"granted_ms":5460000,"spent_ms":4100,"moves":2,"period_moves":2,"period":0}}');
INSERT INTO "event" VALUES(1,25,'Spoken','{"v":1,"is":"Spoken","at_ms":13900,"number":11,"completed":true}');
INSERT INTO "event" VALUES(1,26,'Heard','{"v":1,"is":"Heard","at_ms":15100,"readings":[{"is":"Reading","meaning":{"is":"Command","name":"draw_decline","slots":[]},"cost":0.0,"words":"ablehnen"}],"words":"ablehnen","began_ms":13900,"ended_ms":14900,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,27,'Spoken','{"v":1,"is":"Spoken","at_ms":15600,"number":12,"completed":true}');
INSERT INTO "event" VALUES(1,28,'Heard','{"v":1,"is":"Heard","at_ms":16800,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","to_file":0,"to_rank":5,"captures":false,"en_passant":false},"cost":0.0,"words":"anna sechs"}],"words":"anna sechs","began_ms":15600,"ended_ms":16600,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,29,'Spoken','{"v":1,"is":"Spoken","at_ms":17300,"number":13,"completed":true}');
INSERT INTO "event" VALUES(1,30,'Stood','{"v":1,"is":"Stood","at_ms":17300,"moves":["e2e4","e7e5","g1f3","b8c6","f1b5","a7a6"],"white":{"is":"SideTime","bank_ms":5481500,"granted_ms":5490000,"spent_ms":8500,"moves":3,"period_moves":3,"period":0},"black":{"is":"SideTime","bank_ms":5482700,"granted_ms":5490000,"spent_ms":7300,"moves":3,"period_moves":3,"period":0}}');
INSERT INTO "event" VALUES(1,31,'Heard','{"v":1,"is":"Heard","at_ms":18500,"readings":[{"is":"Reading","meaning":{"is":"Command","name":"time","slots":[]},"cost":0.0,"words":"zeit"}],"words":"zeit","began_ms":17300,"ended_ms":18300,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,32,'Spoken','{"v":1,"is":"Spoken","at_ms":19000,"number":14,"completed":true}');
INSERT INTO "event" VALUES(1,33,'Heard','{"v":1,"is":"Heard","at_ms":20200,"readings":[{"is":"Reading","meaning":{"is":"Command","name":"adjourn","slots":[]},"cost":0.0,"words":"h\u00e4ngepartie"}],"words":"h\u00e4ngepartie","began_ms":19000,"ended_ms":20000,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,34,'Spoken','{"v":1,"is":"Spoken","at_ms":20700,"number":15,"completed":true}');
INSERT INTO "event" VALUES(1,35,'Heard','{"v":1,"is":"Heard","at_ms":21900,"readings":[{"is":"Reading","meaning":{"is":"Answer","kind":"yes"},"cost":0.0,"words":"ja"}],"words":"ja","began_ms":20700,"ended_ms":21700,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,36,'Spoken','{"v":1,"is":"Spoken","at_ms":22400,"number":16,"completed":true}');
INSERT INTO "event" VALUES(1,37,'Sealed','{"v":1,"is":"Sealed","at_ms":23600,"sealed":"000102030405060708090a0b0c0d0e0f215b39d86fb3f8426d0a9654d3fedc698564dda445ce947d7549e898aaa355992619b8414e4245b3cbd4181d202154980933fcb91b5df787de45647194d4b1abfd96bc82b48f276917ba6c52fc0290aa30e56955021247d395bc86a66ba49f99aa5e7d5b7731f40a4a510fd263ca09e4a226c22dfb988db18a4519c6b99f7216cccf709650536ab2d1367e74ef19554f8756380d3ba9784e9f9e2871c0cd6b4bc07f1afb69b7789c857b1b47d8bc4fd284fad65ef0ea03963d56c8f305c08bf926f02629a11c42ccb4c89fd6e3cfd6fb5d6856df2bf20a49dfe5537e9371d007739bcd9ad6f120e7475853dddbcd336615cdfd03da740e07bf15fae4ea8b7c801e1cf7b301b85b78d0b8723ebe560c8530e835bf42e77e5be7f1148df2dbe958e2d14817f76a07f67c39f3444fe1050388dcb4b1d443ef62b38c5acd2288c3b3c5335763c502510c9208f94a82dfa9bb57cbbaf4c9846399232dfb3b38ba1fc44e524c18f2d8c29541f4a17e2b844d1e6dbe124a6f5cf6fdddc45b6a2db6613a7f8f80940a456c8e06978e3118fc325795109ffde35d7fe0576f6234338a924dba1f3daf5274e696d5dfbba93b84828e9fbc0bddbe78dcc91e892ef0375196bff12fea59ec45b1facc91eedd1a647c7c333a9706ce9b7b86b688b3ec00d4f0099223ade3580ce284928f070fc03122d20277f434dbce0abc66f6ddbcaf2a4c40412a886df02bed11a4d3b3e7bcd20715bc626b260fb3f339828d417d707b2013","ended_ms":23400,"resumes":"","clear":true}');
INSERT INTO "event" VALUES(1,38,'Spoken','{"v":1,"is":"Spoken","at_ms":24100,"number":17,"completed":true}');
INSERT INTO "event" VALUES(1,39,'Heard','{"v":1,"is":"Heard","at_ms":25300,"readings":[{"is":"Reading","meaning":{"is":"Command","name":"change","slots":[]},"cost":0.0,"words":"\u00e4ndern"}],"words":"\u00e4ndern","began_ms":24100,"ended_ms":25100,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,40,'Spoken','{"v":1,"is":"Spoken","at_ms":25800,"number":18,"completed":true}');
INSERT INTO "event" VALUES(1,41,'Sealed','{"v":1,"is":"Sealed","at_ms":27000,"sealed":"000102030405060708090a0b0c0d0e0f215939d86fb3f8426d0a9654d3fedc698766dda445ce947d7549e898aaa355992619b8414e4245b3c9df051d72774e981879f29b665df787de45647194d4b1abfd96bc82b48f276917ba6c52fc0290aa30e56955021247d395bc86a66ba49f99aa5e7d5b7731f40a4a510fd263ca09e4a226c22dfb988db18a4519c6b99f7216cccf709650536ab2d1367e74ef19554f8756380d3ba9784e9f9e2871c0cd6b4bc07f1afb69b7789c857b1b47d8bc4fd284fad65ef0ea03963d56c8f305c08bf926f02629a11c42ccb4c89fd6e3cfd6fb5d6856df2bf20a49dfe5537e9371d007739bcd9ad6f120e7475853dddbcd336615cdfd03da740e07bf15fae4ea8b7c801e1cf7b301b85b78d0b8723ebe560c8530e835bf42e77e5be7f1148df2dbe958e2d14817f76a07f67c39f3444fe1050388dcb4b1d443ef62b38c5acd2288c3b3c5335763c502510c9208f94a82dfa9bb57cbbaf4c9846399232dfb3b38ba1fc44e524c18f2d8c29541f4a17e2b844d1e6dbe124a6f5cf6fdddc45b6a2db6613a7f8f80940a456c8e06978e3118fc325795109ffde35d7fe0576f6234338a924dba1f3daf5274e696d5dfbba93b84828e9fbc0bddbe78dcc91e892ef0375196bff12fea59ec45b1facc91eedd1a647c7c333a9706ce9b7b86b688b3ec00d4f0099223ade3580ce284928f070fc03122d20277f434dbce0abc66f6ddbcaf2a4c40abccb03a82cb6f08abab843dbd2085b0d03a7edb06690a78d7cee4731cb0d6d0","ended_ms":26800,"resumes":"","clear":true}');
INSERT INTO "event" VALUES(1,42,'Spoken','{"v":1,"is":"Spoken","at_ms":27500,"number":19,"completed":true}');
INSERT INTO "event" VALUES(1,43,'Heard','{"v":1,"is":"Heard","at_ms":28700,"readings":[{"is":"Reading","meaning":{"is":"Answer","kind":"yes"},"cost":0.0,"words":"ja"}],"words":"ja","began_ms":27500,"ended_ms":28500,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,44,'Spoken','{"v":1,"is":"Spoken","at_ms":29200,"number":20,"completed":true}');
INSERT INTO "event" VALUES(1,45,'Spoken','{"v":1,"is":"Spoken","at_ms":29700,"number":21,"completed":true}');
INSERT INTO "event" VALUES(1,46,'Spoken','{"v":1,"is":"Spoken","at_ms":30200,"number":22,"completed":true}');
CREATE TABLE game (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  started TEXT NOT NULL,
  settings TEXT NOT NULL,
  result TEXT,
  termination TEXT
);
INSERT INTO "game" VALUES(1,'2026-11-20T12:00:00+00:00','{"v":1,"white":"voice","black":"voice","level":3,"time":"90/40+30:15+30","laws":2023,"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","preset":"casual","touch_move":false,"penalties":false,"white_name":"M\u00fcller","black_name":"\u0141ukasz \"\u00d6\""}',NULL,NULL);
CREATE TABLE preference (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('game',1);
COMMIT;
