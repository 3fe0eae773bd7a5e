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
INSERT INTO "event" VALUES(1,6,'Spoken','{"v":1,"is":"Spoken","at_ms":2000,"number":4,"completed":true}');
INSERT INTO "event" VALUES(1,7,'Heard','{"v":1,"is":"Heard","at_ms":3200,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","to_file":4,"to_rank":3,"captures":false,"en_passant":false},"cost":0.0,"words":"eva vier"}],"words":"eva vier","began_ms":2000,"ended_ms":3000,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,8,'Spoken','{"v":1,"is":"Spoken","at_ms":3700,"number":5,"completed":true}');
INSERT INTO "event" VALUES(1,9,'Stood','{"v":1,"is":"Stood","at_ms":3700,"moves":["e2e4"],"white":{"is":"SideTime","bank_ms":302000,"granted_ms":303000,"spent_ms":1000,"moves":1,"period_moves":1,"period":0},"black":{"is":"SideTime","bank_ms":300000,"granted_ms":300000,"spent_ms":0,"moves":0,"period_moves":0,"period":0}}');
INSERT INTO "event" VALUES(1,10,'OpponentMoved','{"v":1,"is":"OpponentMoved","at_ms":5700,"uci":"e7e5","offers_draw":false,"claims_draw":false}');
INSERT INTO "event" VALUES(1,11,'Stood','{"v":1,"is":"Stood","at_ms":5700,"moves":["e2e4","e7e5"],"white":{"is":"SideTime","bank_ms":302000,"granted_ms":303000,"spent_ms":1000,"moves":1,"period_moves":1,"period":0},"black":{"is":"SideTime","bank_ms":301000,"granted_ms":303000,"spent_ms":2000,"moves":1,"period_moves":1,"period":0}}');
INSERT INTO "event" VALUES(1,12,'Spoken','{"v":1,"is":"Spoken","at_ms":6200,"number":6,"completed":true}');
INSERT INTO "event" VALUES(1,13,'Heard','{"v":1,"is":"Heard","at_ms":7400,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":2,"to_file":5,"to_rank":2,"captures":false,"en_passant":false},"cost":0.0,"words":"springer felix drei"}],"words":"springer felix drei","began_ms":6200,"ended_ms":7200,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,14,'Spoken','{"v":1,"is":"Spoken","at_ms":7900,"number":7,"completed":true}');
INSERT INTO "event" VALUES(1,15,'Stood','{"v":1,"is":"Stood","at_ms":7900,"moves":["e2e4","e7e5","g1f3"],"white":{"is":"SideTime","bank_ms":304000,"granted_ms":306000,"spent_ms":2000,"moves":2,"period_moves":2,"period":0},"black":{"is":"SideTime","bank_ms":301000,"granted_ms":303000,"spent_ms":2000,"moves":1,"period_moves":1,"period":0}}');
INSERT INTO "event" VALUES(1,16,'OpponentMoved','{"v":1,"is":"OpponentMoved","at_ms":9900,"uci":"b8c6","offers_draw":false,"claims_draw":false}');
INSERT INTO "event" VALUES(1,17,'Stood','{"v":1,"is":"Stood","at_ms":9900,"moves":["e2e4","e7e5","g1f3","b8c6"],"white":{"is":"SideTime","bank_ms":304000,"granted_ms":306000,"spent_ms":2000,"moves":2,"period_moves":2,"period":0},"black":{"is":"SideTime","bank_ms":302000,"granted_ms":306000,"spent_ms":4000,"moves":2,"period_moves":2,"period":0}}');
INSERT INTO "event" VALUES(1,18,'Spoken','{"v":1,"is":"Spoken","at_ms":10400,"number":8,"completed":true}');
INSERT INTO "event" VALUES(1,19,'Heard','{"v":1,"is":"Heard","at_ms":11600,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":3,"to_file":2,"to_rank":3,"captures":false,"en_passant":false},"cost":0.0,"words":"l\u00e4ufer cesar vier"}],"words":"l\u00e4ufer cesar vier","began_ms":10400,"ended_ms":11400,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,20,'Spoken','{"v":1,"is":"Spoken","at_ms":12100,"number":9,"completed":true}');
INSERT INTO "event" VALUES(1,21,'Stood','{"v":1,"is":"Stood","at_ms":12100,"moves":["e2e4","e7e5","g1f3","b8c6","f1c4"],"white":{"is":"SideTime","bank_ms":306000,"granted_ms":309000,"spent_ms":3000,"moves":3,"period_moves":3,"period":0},"black":{"is":"SideTime","bank_ms":302000,"granted_ms":306000,"spent_ms":4000,"moves":2,"period_moves":2,"period":0}}');
INSERT INTO "event" VALUES(1,22,'OpponentMoved','{"v":1,"is":"OpponentMoved","at_ms":14100,"uci":"f8c5","offers_draw":false,"claims_draw":false}');
INSERT INTO "event" VALUES(1,23,'Stood','{"v":1,"is":"Stood","at_ms":14100,"moves":["e2e4","e7e5","g1f3","b8c6","f1c4","f8c5"],"white":{"is":"SideTime","bank_ms":306000,"granted_ms":309000,"spent_ms":3000,"moves":3,"period_moves":3,"period":0},"black":{"is":"SideTime","bank_ms":303000,"granted_ms":309000,"spent_ms":6000,"moves":3,"period_moves":3,"period":0}}');
INSERT INTO "event" VALUES(1,24,'Spoken','{"v":1,"is":"Spoken","at_ms":14600,"number":10,"completed":true}');
INSERT INTO "event" VALUES(1,25,'Heard','{"v":1,"is":"Heard","at_ms":15800,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","captures":false,"en_passant":false,"castling":"kingside"},"cost":0.0,"words":"kurze rochade"}],"words":"kurze rochade","began_ms":14600,"ended_ms":15600,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,26,'Spoken','{"v":1,"is":"Spoken","at_ms":16300,"number":11,"completed":true}');
INSERT INTO "event" VALUES(1,27,'Stood','{"v":1,"is":"Stood","at_ms":16300,"moves":["e2e4","e7e5","g1f3","b8c6","f1c4","f8c5","e1h1"],"white":{"is":"SideTime","bank_ms":308000,"granted_ms":312000,"spent_ms":4000,"moves":4,"period_moves":4,"period":0},"black":{"is":"SideTime","bank_ms":303000,"granted_ms":309000,"spent_ms":6000,"moves":3,"period_moves":3,"period":0}}');
INSERT INTO "event" VALUES(1,28,'OpponentMoved','{"v":1,"is":"OpponentMoved","at_ms":18300,"uci":"g8f6","offers_draw":false,"claims_draw":false}');
INSERT INTO "event" VALUES(1,29,'Stood','{"v":1,"is":"Stood","at_ms":18300,"moves":["e2e4","e7e5","g1f3","b8c6","f1c4","f8c5","e1h1","g8f6"],"white":{"is":"SideTime","bank_ms":308000,"granted_ms":312000,"spent_ms":4000,"moves":4,"period_moves":4,"period":0},"black":{"is":"SideTime","bank_ms":304000,"granted_ms":312000,"spent_ms":8000,"moves":4,"period_moves":4,"period":0}}');
INSERT INTO "event" VALUES(1,30,'Spoken','{"v":1,"is":"Spoken","at_ms":18800,"number":12,"completed":true}');
INSERT INTO "event" VALUES(1,31,'Heard','{"v":1,"is":"Heard","at_ms":20000,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","to_file":3,"to_rank":2,"captures":false,"en_passant":false},"cost":0.0,"words":"david drei"}],"words":"david drei","began_ms":18800,"ended_ms":19800,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,32,'Spoken','{"v":1,"is":"Spoken","at_ms":20500,"number":13,"completed":true}');
INSERT INTO "event" VALUES(1,33,'Stood','{"v":1,"is":"Stood","at_ms":20500,"moves":["e2e4","e7e5","g1f3","b8c6","f1c4","f8c5","e1h1","g8f6","d2d3"],"white":{"is":"SideTime","bank_ms":310000,"granted_ms":315000,"spent_ms":5000,"moves":5,"period_moves":5,"period":0},"black":{"is":"SideTime","bank_ms":304000,"granted_ms":312000,"spent_ms":8000,"moves":4,"period_moves":4,"period":0}}');
INSERT INTO "event" VALUES(1,34,'OpponentMoved','{"v":1,"is":"OpponentMoved","at_ms":22500,"uci":"e8h8","offers_draw":false,"claims_draw":false}');
INSERT INTO "event" VALUES(1,35,'Stood','{"v":1,"is":"Stood","at_ms":22500,"moves":["e2e4","e7e5","g1f3","b8c6","f1c4","f8c5","e1h1","g8f6","d2d3","e8h8"],"white":{"is":"SideTime","bank_ms":310000,"granted_ms":315000,"spent_ms":5000,"moves":5,"period_moves":5,"period":0},"black":{"is":"SideTime","bank_ms":305000,"granted_ms":315000,"spent_ms":10000,"moves":5,"period_moves":5,"period":0}}');
INSERT INTO "event" VALUES(1,36,'Spoken','{"v":1,"is":"Spoken","at_ms":23000,"number":14,"completed":true}');
INSERT INTO "event" VALUES(1,37,'Heard','{"v":1,"is":"Heard","at_ms":24200,"readings":[{"is":"Reading","meaning":{"is":"Command","name":"legal","slots":[["piece",2]]},"cost":0.0,"words":"was kann springer"}],"words":"was kann springer","began_ms":23000,"ended_ms":24000,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,38,'Spoken','{"v":1,"is":"Spoken","at_ms":24700,"number":15,"completed":true}');
INSERT INTO "event" VALUES(1,39,'Spoken','{"v":1,"is":"Spoken","at_ms":25200,"number":16,"completed":true}');
INSERT INTO "event" VALUES(1,40,'Heard','{"v":1,"is":"Heard","at_ms":26400,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":3,"to_file":6,"to_rank":4,"captures":false,"en_passant":false},"cost":0.0,"words":"l\u00e4ufer gustav f\u00fcnf"}],"words":"l\u00e4ufer gustav f\u00fcnf","began_ms":25200,"ended_ms":26200,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,41,'Spoken','{"v":1,"is":"Spoken","at_ms":26900,"number":17,"completed":true}');
INSERT INTO "event" VALUES(1,42,'Stood','{"v":1,"is":"Stood","at_ms":26900,"moves":["e2e4","e7e5","g1f3","b8c6","f1c4","f8c5","e1h1","g8f6","d2d3","e8h8","c1g5"],"white":{"is":"SideTime","bank_ms":309800,"granted_ms":318000,"spent_ms":8200,"moves":6,"period_moves":6,"period":0},"black":{"is":"SideTime","bank_ms":305000,"granted_ms":315000,"spent_ms":10000,"moves":5,"period_moves":5,"period":0}}');
INSERT INTO "event" VALUES(1,43,'OpponentMoved','{"v":1,"is":"OpponentMoved","at_ms":28900,"uci":"h7h6","offers_draw":true,"claims_draw":false}');
INSERT INTO "event" VALUES(1,44,'Stood','{"v":1,"is":"Stood","at_ms":28900,"moves":["e2e4","e7e5","g1f3","b8c6","f1c4","f8c5","e1h1","g8f6","d2d3","e8h8","c1g5","h7h6"],"white":{"is":"SideTime","bank_ms":309800,"granted_ms":318000,"spent_ms":8200,"moves":6,"period_moves":6,"period":0},"black":{"is":"SideTime","bank_ms":306000,"granted_ms":318000,"spent_ms":12000,"moves":6,"period_moves":6,"period":0}}');
INSERT INTO "event" VALUES(1,45,'Spoken','{"v":1,"is":"Spoken","at_ms":29400,"number":18,"completed":true}');
INSERT INTO "event" VALUES(1,46,'Spoken','{"v":1,"is":"Spoken","at_ms":29900,"number":19,"completed":true}');
INSERT INTO "event" VALUES(1,47,'Heard','{"v":1,"is":"Heard","at_ms":31100,"readings":[{"is":"Reading","meaning":{"is":"Command","name":"draw_decline","slots":[]},"cost":0.0,"words":"ablehnen"}],"words":"ablehnen","began_ms":29900,"ended_ms":30900,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,48,'Spoken','{"v":1,"is":"Spoken","at_ms":31600,"number":20,"completed":true}');
INSERT INTO "event" VALUES(1,49,'Heard','{"v":1,"is":"Heard","at_ms":32800,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":3,"to_file":5,"to_rank":5,"captures":false,"en_passant":false},"cost":0.0,"words":"l\u00e4ufer felix sechs"}],"words":"l\u00e4ufer felix sechs","began_ms":31600,"ended_ms":32600,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,50,'Spoken','{"v":1,"is":"Spoken","at_ms":33300,"number":21,"completed":true}');
INSERT INTO "event" VALUES(1,51,'Stood','{"v":1,"is":"Stood","at_ms":33300,"moves":["e2e4","e7e5","g1f3","b8c6","f1c4","f8c5","e1h1","g8f6","d2d3","e8h8","c1g5","h7h6","g5f6"],"white":{"is":"SideTime","bank_ms":310100,"granted_ms":321000,"spent_ms":10900,"moves":7,"period_moves":7,"period":0},"black":{"is":"SideTime","bank_ms":306000,"granted_ms":318000,"spent_ms":12000,"moves":6,"period_moves":6,"period":0}}');
CREATE TABLE game (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  started TEXT NOT NULL,
  settings TEXT NOT NULL,
  result TEXT,
  termination TEXT
);
INSERT INTO "game" VALUES(1,'2026-11-20T12:00:00+00:00','{"v":1,"white":"voice","black":"engine","level":3,"time":"5+3","laws":2023,"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","chess960":518,"preset":"casual","touch_move":false,"penalties":false,"white_name":"","black_name":""}',NULL,NULL);
CREATE TABLE preference (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('game',1);
COMMIT;
