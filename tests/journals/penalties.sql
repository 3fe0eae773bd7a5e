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
INSERT INTO "event" VALUES(1,6,'Spoken','{"v":1,"is":"Spoken","at_ms":2000,"number":4,"completed":true}');
INSERT INTO "event" VALUES(1,7,'Spoken','{"v":1,"is":"Spoken","at_ms":2500,"number":5,"completed":true}');
INSERT INTO "event" VALUES(1,8,'Spoken','{"v":1,"is":"Spoken","at_ms":3000,"number":6,"completed":true}');
INSERT INTO "event" VALUES(1,9,'Heard','{"v":1,"is":"Heard","at_ms":4200,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":4,"to_file":0,"to_rank":2,"captures":false,"en_passant":false},"cost":0.0,"words":"turm anna drei"}],"words":"turm anna drei","began_ms":3000,"ended_ms":4000,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,10,'Spoken','{"v":1,"is":"Spoken","at_ms":4700,"number":7,"completed":true}');
INSERT INTO "event" VALUES(1,11,'Spoken','{"v":1,"is":"Spoken","at_ms":5200,"number":8,"completed":true}');
INSERT INTO "event" VALUES(1,12,'Heard','{"v":1,"is":"Heard","at_ms":6400,"readings":[{"is":"Reading","meaning":{"is":"Answer","kind":"yes"},"cost":0.0,"words":"ja"}],"words":"ja","began_ms":5200,"ended_ms":6200,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,13,'Spoken','{"v":1,"is":"Spoken","at_ms":6900,"number":9,"completed":true}');
INSERT INTO "event" VALUES(1,14,'Heard','{"v":1,"is":"Heard","at_ms":8100,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":2,"from_file":6,"from_rank":0,"to_file":4,"to_rank":2,"captures":false,"en_passant":false},"cost":0.0,"words":"springer gustav eins eva drei"}],"words":"springer gustav eins eva drei","began_ms":6900,"ended_ms":7900,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,15,'Spoken','{"v":1,"is":"Spoken","at_ms":8600,"number":10,"completed":true}');
INSERT INTO "event" VALUES(1,16,'Spoken','{"v":1,"is":"Spoken","at_ms":9100,"number":11,"completed":true}');
INSERT INTO "event" VALUES(1,17,'Heard','{"v":1,"is":"Heard","at_ms":10300,"readings":[{"is":"Reading","meaning":{"is":"Answer","kind":"yes"},"cost":0.0,"words":"ja"}],"words":"ja","began_ms":9100,"ended_ms":10100,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,18,'Spoken','{"v":1,"is":"Spoken","at_ms":10800,"number":12,"completed":true}');
INSERT INTO "event" VALUES(1,19,'Spoken','{"v":1,"is":"Spoken","at_ms":11300,"number":13,"completed":true}');
INSERT INTO "event" VALUES(1,20,'Heard','{"v":1,"is":"Heard","at_ms":12500,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","to_file":4,"to_rank":3,"captures":false,"en_passant":false},"cost":0.0,"words":"eva vier"}],"words":"eva vier","began_ms":11300,"ended_ms":12300,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,21,'Spoken','{"v":1,"is":"Spoken","at_ms":13000,"number":14,"completed":true}');
INSERT INTO "event" VALUES(1,22,'Heard','{"v":1,"is":"Heard","at_ms":14200,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":2,"to_file":5,"to_rank":2,"captures":false,"en_passant":false},"cost":0.0,"words":"springer felix drei"}],"words":"springer felix drei","began_ms":13000,"ended_ms":14000,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,23,'Spoken','{"v":1,"is":"Spoken","at_ms":14700,"number":15,"completed":true}');
INSERT INTO "event" VALUES(1,24,'Stood','{"v":1,"is":"Stood","at_ms":14700,"moves":["g1f3"],"white":{"is":"SideTime","bank_ms":5389000,"granted_ms":5400000,"spent_ms":11000,"moves":1,"period_moves":1,"period":0},"black":{"is":"SideTime","bank_ms":5639300,"granted_ms":5640000,"spent_ms":700,"moves":0,"period_moves":0,"period":0}}');
INSERT INTO "event" VALUES(1,25,'Heard','{"v":1,"is":"Heard","at_ms":15900,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","to_file":4,"to_rank":4,"captures":false,"en_passant":false},"cost":0.0,"words":"eva f\u00fcnf"}],"words":"eva f\u00fcnf","began_ms":14700,"ended_ms":15700,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,26,'Heard','{"v":1,"is":"Heard","at_ms":17100,"readings":[{"is":"Reading","meaning":{"is":"Command","name":"correct","slots":[]},"cost":0.0,"words":"korrektur"}],"words":"korrektur","began_ms":15900,"ended_ms":16900,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,27,'Spoken','{"v":1,"is":"Spoken","at_ms":17600,"number":16,"completed":true}');
INSERT INTO "event" VALUES(1,28,'Spoken','{"v":1,"is":"Spoken","at_ms":18100,"number":17,"completed":true}');
INSERT INTO "event" VALUES(1,29,'Spoken','{"v":1,"is":"Spoken","at_ms":18600,"number":18,"completed":true}');
INSERT INTO "event" VALUES(1,30,'Heard','{"v":1,"is":"Heard","at_ms":19800,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","to_file":3,"to_rank":4,"captures":false,"en_passant":false},"cost":0.0,"words":"david f\u00fcnf"}],"words":"david f\u00fcnf","began_ms":18600,"ended_ms":19600,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,31,'Spoken','{"v":1,"is":"Spoken","at_ms":20300,"number":19,"completed":true}');
INSERT INTO "event" VALUES(1,32,'Spoken','{"v":1,"is":"Spoken","at_ms":20800,"number":20,"completed":true}');
INSERT INTO "event" VALUES(1,33,'Stood','{"v":1,"is":"Stood","at_ms":20800,"moves":["g1f3","d7d5"],"white":{"is":"SideTime","bank_ms":5387800,"granted_ms":5400000,"spent_ms":12200,"moves":1,"period_moves":1,"period":0},"black":{"is":"SideTime","bank_ms":5634400,"granted_ms":5640000,"spent_ms":5600,"moves":1,"period_moves":1,"period":0}}');
INSERT INTO "event" VALUES(1,34,'Heard','{"v":1,"is":"Heard","at_ms":22000,"readings":[{"is":"Reading","meaning":{"is":"Command","name":"claim_threefold","slots":[]},"cost":0.0,"words":"stellungswiederholung"}],"words":"stellungswiederholung","began_ms":20800,"ended_ms":21800,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,35,'Spoken','{"v":1,"is":"Spoken","at_ms":22500,"number":21,"completed":true}');
INSERT INTO "event" VALUES(1,36,'Heard','{"v":1,"is":"Heard","at_ms":23700,"readings":[{"is":"Reading","meaning":{"is":"Answer","kind":"yes"},"cost":0.0,"words":"ja"}],"words":"ja","began_ms":22500,"ended_ms":23500,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,37,'Spoken','{"v":1,"is":"Spoken","at_ms":24200,"number":22,"completed":true}');
INSERT INTO "event" VALUES(1,38,'Heard','{"v":1,"is":"Heard","at_ms":25400,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","from_file":4,"to_file":3,"to_rank":4,"captures":true,"en_passant":false},"cost":0.0,"words":"eva schl\u00e4gt david f\u00fcnf"}],"words":"eva schl\u00e4gt david f\u00fcnf","began_ms":24200,"ended_ms":25200,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,39,'Spoken','{"v":1,"is":"Spoken","at_ms":25900,"number":23,"completed":true}');
INSERT INTO "event" VALUES(1,40,'Spoken','{"v":1,"is":"Spoken","at_ms":26400,"number":24,"completed":true}');
INSERT INTO "event" VALUES(1,41,'Heard','{"v":1,"is":"Heard","at_ms":27600,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":5,"to_file":3,"to_rank":4,"captures":false,"en_passant":false},"cost":0.0,"words":"dame david f\u00fcnf"}],"words":"dame david f\u00fcnf","began_ms":26400,"ended_ms":27400,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,42,'Spoken','{"v":1,"is":"Spoken","at_ms":28100,"number":25,"completed":true}');
INSERT INTO "event" VALUES(1,43,'Spoken','{"v":1,"is":"Spoken","at_ms":28600,"number":26,"completed":true}');
INSERT INTO "event" VALUES(1,44,'Spoken','{"v":1,"is":"Spoken","at_ms":29100,"number":27,"completed":true}');
INSERT INTO "event" VALUES(1,45,'Heard','{"v":1,"is":"Heard","at_ms":30300,"readings":[{"is":"Reading","meaning":{"is":"Command","name":"arbiter_add","slots":[["colour",true],["number",2]]},"cost":0.0,"words":"schiedsrichter wei\u00df zwei minuten dazu"}],"words":"schiedsrichter wei\u00df zwei minuten dazu","began_ms":29100,"ended_ms":30100,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,46,'Spoken','{"v":1,"is":"Spoken","at_ms":30800,"number":28,"completed":true}');
INSERT INTO "event" VALUES(1,47,'Heard','{"v":1,"is":"Heard","at_ms":32000,"readings":[{"is":"Reading","meaning":{"is":"Answer","kind":"yes"},"cost":0.0,"words":"ja"}],"words":"ja","began_ms":30800,"ended_ms":31800,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,48,'Spoken','{"v":1,"is":"Spoken","at_ms":32500,"number":29,"completed":true}');
INSERT INTO "event" VALUES(1,49,'Heard','{"v":1,"is":"Heard","at_ms":33700,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":2,"to_file":2,"to_rank":2,"captures":false,"en_passant":false},"cost":0.0,"words":"springer cesar drei"}],"words":"springer cesar drei","began_ms":32500,"ended_ms":33500,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,50,'Spoken','{"v":1,"is":"Spoken","at_ms":34200,"number":30,"completed":true}');
INSERT INTO "event" VALUES(1,51,'Stood','{"v":1,"is":"Stood","at_ms":34200,"moves":["g1f3","d7d5","b1c3"],"white":{"is":"SideTime","bank_ms":5495100,"granted_ms":5520000,"spent_ms":24900,"moves":2,"period_moves":2,"period":0},"black":{"is":"SideTime","bank_ms":5813700,"granted_ms":5820000,"spent_ms":6300,"moves":1,"period_moves":1,"period":0}}');
INSERT INTO "event" VALUES(1,52,'Heard','{"v":1,"is":"Heard","at_ms":35400,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":2,"to_file":2,"to_rank":5,"captures":false,"en_passant":false},"cost":0.0,"words":"springer cesar sechs"}],"words":"springer cesar sechs","began_ms":34200,"ended_ms":35200,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,53,'Heard','{"v":1,"is":"Heard","at_ms":36600,"readings":[{"is":"Reading","meaning":{"is":"Command","name":"correct","slots":[]},"cost":0.0,"words":"korrektur"}],"words":"korrektur","began_ms":35400,"ended_ms":36400,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,54,'Spoken','{"v":1,"is":"Spoken","at_ms":37100,"number":31,"completed":true}');
INSERT INTO "event" VALUES(1,55,'Spoken','{"v":1,"is":"Spoken","at_ms":37600,"number":32,"completed":true}');
INSERT INTO "event" VALUES(1,56,'Spoken','{"v":1,"is":"Spoken","at_ms":38100,"number":33,"completed":true}');
CREATE TABLE game (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  started TEXT NOT NULL,
  settings TEXT NOT NULL,
  result TEXT,
  termination TEXT
);
INSERT INTO "game" VALUES(1,'2026-11-20T12:00:00+00:00','{"v":1,"white":"voice","black":"voice","level":3,"time":"90","laws":2009,"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","preset":"casual","touch_move":true,"penalties":true,"white_name":"","black_name":""}',NULL,NULL);
CREATE TABLE preference (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('game',1);
COMMIT;
