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
INSERT INTO "event" VALUES(1,2,'Stood','{"v":1,"is":"Stood","at_ms":0,"moves":[],"white":{"is":"SideTime","bank_ms":0,"granted_ms":0,"spent_ms":0,"moves":0,"period_moves":0,"period":0},"black":{"is":"SideTime","bank_ms":0,"granted_ms":0,"spent_ms":0,"moves":0,"period_moves":0,"period":0}}');
INSERT INTO "event" VALUES(1,3,'Spoken','{"v":1,"is":"Spoken","at_ms":500,"number":1,"completed":true}');
INSERT INTO "event" VALUES(1,4,'Spoken','{"v":1,"is":"Spoken","at_ms":1000,"number":2,"completed":true}');
INSERT INTO "event" VALUES(1,5,'Heard','{"v":1,"is":"Heard","at_ms":2200,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","to_file":4,"to_rank":3,"captures":false,"en_passant":false},"cost":0.0,"words":"eva vier"},{"is":"Reading","meaning":{"is":"SpokenMove","to_file":4,"to_rank":4,"captures":false,"en_passant":false},"cost":2.6,"words":"eva f\u00fcnf"}],"words":"eva vier","began_ms":1000,"ended_ms":2000,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,6,'Spoken','{"v":1,"is":"Spoken","at_ms":2700,"number":3,"completed":true}');
INSERT INTO "event" VALUES(1,7,'Stood','{"v":1,"is":"Stood","at_ms":2700,"moves":["e2e4"],"white":{"is":"SideTime","bank_ms":0,"granted_ms":0,"spent_ms":1000,"moves":1,"period_moves":0,"period":0},"black":{"is":"SideTime","bank_ms":0,"granted_ms":0,"spent_ms":700,"moves":0,"period_moves":0,"period":0}}');
INSERT INTO "event" VALUES(1,8,'Heard','{"v":1,"is":"Heard","at_ms":3900,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","to_file":4,"to_rank":4,"captures":false,"en_passant":false},"cost":0.06504356177659056,"words":"eva f\u00fcnf"},{"is":"Reading","meaning":{"is":"SpokenMove","to_file":4,"to_rank":5,"captures":false,"en_passant":false},"cost":2.7650435617765905,"words":"eva sechs"}],"words":"eva f\u00fcnf","began_ms":2700,"ended_ms":3700,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,9,'Spoken','{"v":1,"is":"Spoken","at_ms":4400,"number":4,"completed":true}');
INSERT INTO "event" VALUES(1,10,'Stood','{"v":1,"is":"Stood","at_ms":4400,"moves":["e2e4","e7e5"],"white":{"is":"SideTime","bank_ms":0,"granted_ms":0,"spent_ms":1700,"moves":1,"period_moves":0,"period":0},"black":{"is":"SideTime","bank_ms":0,"granted_ms":0,"spent_ms":1700,"moves":1,"period_moves":0,"period":0}}');
INSERT INTO "event" VALUES(1,11,'Heard','{"v":1,"is":"Heard","at_ms":5600,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","to_file":4,"to_rank":4,"captures":false,"en_passant":false},"cost":0.0,"words":"eva f\u00fcnf"}],"words":"eva f\u00fcnf","began_ms":4400,"ended_ms":5400,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,12,'Spoken','{"v":1,"is":"Spoken","at_ms":6100,"number":5,"completed":true}');
INSERT INTO "event" VALUES(1,13,'Heard','{"v":1,"is":"Heard","at_ms":7300,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":2,"to_file":5,"to_rank":2,"captures":false,"en_passant":false},"cost":0.06504356177659056,"words":"springer felix drei"},{"is":"Reading","meaning":{"is":"SpokenMove","piece":2,"to_file":5,"to_rank":1,"captures":false,"en_passant":false},"cost":2.665043561776591,"words":"springer felix zwei"},{"is":"Reading","meaning":{"is":"SpokenMove","piece":2,"from_file":6,"from_rank":0,"to_file":5,"to_rank":1,"captures":false,"en_passant":false},"cost":2.7650435617765905,"words":"springer gustav eins felix zwei"}],"words":"springer felix drei","began_ms":6100,"ended_ms":7100,"source":"voice","above_room_db":8}');
INSERT INTO "event" VALUES(1,14,'Spoken','{"v":1,"is":"Spoken","at_ms":7800,"number":6,"completed":true}');
INSERT INTO "event" VALUES(1,15,'Stood','{"v":1,"is":"Stood","at_ms":7800,"moves":["e2e4","e7e5","g1f3"],"white":{"is":"SideTime","bank_ms":0,"granted_ms":0,"spent_ms":4400,"moves":2,"period_moves":0,"period":0},"black":{"is":"SideTime","bank_ms":0,"granted_ms":0,"spent_ms":2400,"moves":1,"period_moves":0,"period":0}}');
INSERT INTO "event" VALUES(1,16,'Heard','{"v":1,"is":"Heard","at_ms":9000,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":2,"to_file":5,"to_rank":2,"captures":false,"en_passant":false},"cost":0.0,"words":"springer felix drei"},{"is":"Reading","meaning":{"is":"SpokenMove","piece":2,"to_file":5,"to_rank":1,"captures":false,"en_passant":false},"cost":2.6,"words":"springer felix zwei"}],"words":"springer felix drei","began_ms":7800,"ended_ms":8800,"source":"voice","above_room_db":8}');
INSERT INTO "event" VALUES(1,17,'Spoken','{"v":1,"is":"Spoken","at_ms":9500,"number":7,"completed":true}');
INSERT INTO "event" VALUES(1,18,'Heard','{"v":1,"is":"Heard","at_ms":10700,"readings":[{"is":"Reading","meaning":{"is":"Answer","kind":"yes"},"cost":0.0,"words":"ja"}],"words":"ja","began_ms":9500,"ended_ms":10500,"source":"voice","above_room_db":8}');
INSERT INTO "event" VALUES(1,19,'Spoken','{"v":1,"is":"Spoken","at_ms":11200,"number":8,"completed":true}');
INSERT INTO "event" VALUES(1,20,'Heard','{"v":1,"is":"Heard","at_ms":12400,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":2,"to_file":2,"to_rank":5,"captures":false,"en_passant":false},"cost":0.06504356177659056,"words":"springer cesar sechs"},{"is":"Reading","meaning":{"is":"SpokenMove","piece":2,"to_file":7,"to_rank":5,"captures":false,"en_passant":false},"cost":2.7650435617765905,"words":"springer hector sechs"}],"words":"springer cesar sechs","began_ms":11200,"ended_ms":12200,"source":"voice","above_room_db":8}');
INSERT INTO "event" VALUES(1,21,'Spoken','{"v":1,"is":"Spoken","at_ms":12900,"number":9,"completed":true}');
INSERT INTO "event" VALUES(1,22,'Stood','{"v":1,"is":"Stood","at_ms":12900,"moves":["e2e4","e7e5","g1f3","b8c6"],"white":{"is":"SideTime","bank_ms":0,"granted_ms":0,"spent_ms":5100,"moves":2,"period_moves":0,"period":0},"black":{"is":"SideTime","bank_ms":0,"granted_ms":0,"spent_ms":6800,"moves":2,"period_moves":0,"period":0}}');
INSERT INTO "event" VALUES(1,23,'Heard','{"v":1,"is":"Heard","at_ms":14100,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","to_rank":1,"captures":false,"en_passant":false},"cost":0.0,"words":"zwei"}],"words":"zwei","began_ms":12900,"ended_ms":13900,"source":"voice","above_room_db":8}');
INSERT INTO "event" VALUES(1,24,'Spoken','{"v":1,"is":"Spoken","at_ms":14600,"number":10,"completed":true}');
INSERT INTO "event" VALUES(1,25,'Heard','{"v":1,"is":"Heard","at_ms":15800,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":3,"to_file":2,"to_rank":3,"captures":false,"en_passant":false},"cost":0.0,"words":"l\u00e4ufer cesar vier"},{"is":"Reading","meaning":{"is":"SpokenMove","piece":3,"to_file":2,"to_rank":4,"captures":false,"en_passant":false},"cost":2.6,"words":"l\u00e4ufer cesar f\u00fcnf"},{"is":"Reading","meaning":{"is":"SpokenMove","to_file":2,"to_rank":3,"captures":false,"en_passant":false},"cost":5.490082859944029,"words":"leute cesar vier"}],"words":"l\u00e4ufer cesar vier","began_ms":14600,"ended_ms":15600,"source":"voice","above_room_db":8}');
INSERT INTO "event" VALUES(1,26,'Spoken','{"v":1,"is":"Spoken","at_ms":16300,"number":11,"completed":true}');
INSERT INTO "event" VALUES(1,27,'Stood','{"v":1,"is":"Stood","at_ms":16300,"moves":["e2e4","e7e5","g1f3","b8c6","f1c4"],"white":{"is":"SideTime","bank_ms":0,"granted_ms":0,"spent_ms":7800,"moves":3,"period_moves":0,"period":0},"black":{"is":"SideTime","bank_ms":0,"granted_ms":0,"spent_ms":7500,"moves":2,"period_moves":0,"period":0}}');
INSERT INTO "event" VALUES(1,28,'Heard','{"v":1,"is":"Heard","at_ms":17500,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":3,"to_file":2,"to_rank":4,"captures":false,"en_passant":false},"cost":0.0,"words":"l\u00e4ufer cesar f\u00fcnf"}],"words":"l\u00e4ufer cesar f\u00fcnf","began_ms":16300,"ended_ms":17300,"source":"voice","above_room_db":8}');
INSERT INTO "event" VALUES(1,29,'Spoken','{"v":1,"is":"Spoken","at_ms":18000,"number":12,"completed":true}');
INSERT INTO "event" VALUES(1,30,'Stood','{"v":1,"is":"Stood","at_ms":18000,"moves":["e2e4","e7e5","g1f3","b8c6","f1c4","f8c5"],"white":{"is":"SideTime","bank_ms":0,"granted_ms":0,"spent_ms":8500,"moves":3,"period_moves":0,"period":0},"black":{"is":"SideTime","bank_ms":0,"granted_ms":0,"spent_ms":8500,"moves":3,"period_moves":0,"period":0}}');
INSERT INTO "event" VALUES(1,31,'Heard','{"v":1,"is":"Heard","at_ms":19200,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","to_file":1,"to_rank":3,"captures":false,"en_passant":false},"cost":0.0,"words":"bella vier"},{"is":"Reading","meaning":{"is":"SpokenMove","to_file":1,"to_rank":4,"captures":false,"en_passant":false},"cost":2.6,"words":"bella f\u00fcnf"}],"words":"bella vier","began_ms":18000,"ended_ms":19000,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,32,'Spoken','{"v":1,"is":"Spoken","at_ms":19700,"number":13,"completed":true}');
INSERT INTO "event" VALUES(1,33,'Stood','{"v":1,"is":"Stood","at_ms":19700,"moves":["e2e4","e7e5","g1f3","b8c6","f1c4","f8c5","b2b4"],"white":{"is":"SideTime","bank_ms":0,"granted_ms":0,"spent_ms":9500,"moves":4,"period_moves":0,"period":0},"black":{"is":"SideTime","bank_ms":0,"granted_ms":0,"spent_ms":9200,"moves":3,"period_moves":0,"period":0}}');
INSERT INTO "event" VALUES(1,34,'Heard','{"v":1,"is":"Heard","at_ms":20900,"readings":[{"is":"Reading","meaning":{"is":"Answer","kind":"yes"},"cost":0.0,"words":"ja"}],"words":"ja","began_ms":19700,"ended_ms":20700,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,35,'Heard','{"v":1,"is":"Heard","at_ms":22100,"readings":[{"is":"Reading","meaning":{"is":"Answer","kind":"no"},"cost":0.0,"words":"nein"}],"words":"nein","began_ms":20900,"ended_ms":21900,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,36,'Spoken','{"v":1,"is":"Spoken","at_ms":22600,"number":14,"completed":true}');
INSERT INTO "event" VALUES(1,37,'Spoken','{"v":1,"is":"Spoken","at_ms":23100,"number":15,"completed":true}');
INSERT INTO "event" VALUES(1,38,'Spoken','{"v":1,"is":"Spoken","at_ms":23600,"number":16,"completed":true}');
INSERT INTO "event" VALUES(1,39,'Heard','{"v":1,"is":"Heard","at_ms":24800,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","to_file":2,"to_rank":2,"captures":false,"en_passant":false},"cost":0.0,"words":"cesar drei"},{"is":"Reading","meaning":{"is":"SpokenMove","to_file":2,"to_rank":1,"captures":false,"en_passant":false},"cost":2.6,"words":"cesar zwei"}],"words":"cesar drei","began_ms":23600,"ended_ms":24600,"source":"voice","above_room_db":40}');
INSERT INTO "event" VALUES(1,40,'Spoken','{"v":1,"is":"Spoken","at_ms":25300,"number":17,"completed":true}');
INSERT INTO "event" VALUES(1,41,'Spoken','{"v":1,"is":"Spoken","at_ms":25800,"number":18,"completed":true}');
CREATE TABLE game (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  started TEXT NOT NULL,
  settings TEXT NOT NULL,
  result TEXT,
  termination TEXT
);
INSERT INTO "game" VALUES(1,'2026-11-20T12:00:00+00:00','{"v":1,"white":"voice","black":"voice","level":3,"time":"","laws":2023,"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","preset":"casual","touch_move":false,"penalties":false,"white_name":"","black_name":""}',NULL,NULL);
CREATE TABLE preference (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('game',1);
COMMIT;
