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
INSERT INTO "event" VALUES(1,1,'Started','{"v":1,"is":"Started","at_ms":22,"introduced":false,"three_words":true}');
INSERT INTO "event" VALUES(1,2,'Stood','{"v":1,"is":"Stood","at_ms":22,"moves":[],"white":{"is":"SideTime","bank_ms":605000,"granted_ms":605000,"spent_ms":0,"moves":0,"period_moves":0,"period":0},"black":{"is":"SideTime","bank_ms":605000,"granted_ms":605000,"spent_ms":0,"moves":0,"period_moves":0,"period":0}}');
INSERT INTO "event" VALUES(1,3,'Spoken','{"v":1,"is":"Spoken","at_ms":48,"number":1,"completed":true,"listening":false}');
INSERT INTO "event" VALUES(1,4,'Spoken','{"v":1,"is":"Spoken","at_ms":48,"number":2,"completed":true,"listening":false}');
INSERT INTO "event" VALUES(1,5,'Spoken','{"v":1,"is":"Spoken","at_ms":48,"number":3,"completed":true,"listening":false}');
INSERT INTO "event" VALUES(1,6,'Heard','{"v":1,"is":"Heard","at_ms":110,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","to_file":4,"to_rank":3,"captures":false,"en_passant":false},"cost":0.0,"words":"e 4","between":false,"letter":false}],"words":"e4","began_ms":110,"ended_ms":110,"source":"keyboard","cut_in":false,"ahead":false,"fits_badly":false,"partly":false,"perhaps":[],"torn":false}');
INSERT INTO "event" VALUES(1,7,'Spoken','{"v":1,"is":"Spoken","at_ms":153,"number":4,"completed":true,"listening":false}');
INSERT INTO "event" VALUES(1,8,'Stood','{"v":1,"is":"Stood","at_ms":153,"moves":["e2e4"],"white":{"is":"SideTime","bank_ms":609938,"granted_ms":610000,"spent_ms":62,"moves":1,"period_moves":1,"period":0},"black":{"is":"SideTime","bank_ms":604957,"granted_ms":605000,"spent_ms":43,"moves":0,"period_moves":0,"period":0}}');
INSERT INTO "event" VALUES(1,9,'Heard','{"v":1,"is":"Heard","at_ms":2162,"readings":[{"is":"Reading","meaning":{"is":"Command","name":"thresholds_seconds","slots":[["number",40]],"moves":[]},"cost":0.0,"words":"ansagen 40 sekunden","between":false,"letter":false}],"words":"Ansagen 40 Sekunden","began_ms":2162,"ended_ms":2162,"source":"keyboard","cut_in":false,"ahead":false,"fits_badly":false,"partly":false,"perhaps":[],"torn":false}');
INSERT INTO "event" VALUES(1,10,'Spoken','{"v":1,"is":"Spoken","at_ms":2178,"number":5,"completed":true,"listening":false}');
INSERT INTO "event" VALUES(1,11,'Heard','{"v":1,"is":"Heard","at_ms":6173,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","to_file":4,"to_rank":4,"captures":false,"en_passant":false},"cost":0.0,"words":"e 5","between":false,"letter":false}],"words":"e5","began_ms":6173,"ended_ms":6173,"source":"keyboard","cut_in":false,"ahead":false,"fits_badly":false,"partly":false,"perhaps":[],"torn":false}');
INSERT INTO "event" VALUES(1,12,'Spoken','{"v":1,"is":"Spoken","at_ms":6194,"number":6,"completed":true,"listening":false}');
INSERT INTO "event" VALUES(1,13,'Stood','{"v":1,"is":"Stood","at_ms":6194,"moves":["e2e4","e7e5"],"white":{"is":"SideTime","bank_ms":609917,"granted_ms":610000,"spent_ms":83,"moves":1,"period_moves":1,"period":0},"black":{"is":"SideTime","bank_ms":603937,"granted_ms":610000,"spent_ms":6063,"moves":1,"period_moves":1,"period":0}}');
INSERT INTO "event" VALUES(1,14,'Heard','{"v":1,"is":"Heard","at_ms":10181,"readings":[{"is":"Reading","meaning":{"is":"Command","name":"arbiter_add_seconds","slots":[["colour",true],["number",90]],"moves":[]},"cost":0.0,"words":"schiedsrichter wei\u00df 90 sekunden dazu","between":false,"letter":false}],"words":"Schiedsrichter Wei\u00df 90 Sekunden dazu","began_ms":10181,"ended_ms":10181,"source":"keyboard","cut_in":false,"ahead":false,"fits_badly":false,"partly":false,"perhaps":[],"torn":false}');
INSERT INTO "event" VALUES(1,15,'Spoken','{"v":1,"is":"Spoken","at_ms":10192,"number":7,"completed":true,"listening":false}');
INSERT INTO "event" VALUES(1,16,'Heard','{"v":1,"is":"Heard","at_ms":14177,"readings":[{"is":"Reading","meaning":{"is":"Answer","kind":"yes"},"cost":0.0,"words":"ja","between":false,"letter":false}],"words":"ja","began_ms":14177,"ended_ms":14177,"source":"keyboard","cut_in":false,"ahead":false,"fits_badly":false,"partly":false,"perhaps":[],"torn":false}');
INSERT INTO "event" VALUES(1,17,'Spoken','{"v":1,"is":"Spoken","at_ms":14190,"number":8,"completed":true,"listening":false}');
INSERT INTO "event" VALUES(1,18,'Heard','{"v":1,"is":"Heard","at_ms":18186,"readings":[{"is":"Reading","meaning":{"is":"Command","name":"resume","slots":[],"moves":[]},"cost":0.0,"words":"weiter","between":false,"letter":false}],"words":"weiter","began_ms":18186,"ended_ms":18186,"source":"keyboard","cut_in":false,"ahead":false,"fits_badly":false,"partly":false,"perhaps":[],"torn":false}');
INSERT INTO "event" VALUES(1,19,'Spoken','{"v":1,"is":"Spoken","at_ms":18200,"number":9,"completed":true,"listening":false}');
INSERT INTO "event" VALUES(1,20,'Heard','{"v":1,"is":"Heard","at_ms":22202,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":2,"to_file":5,"to_rank":2,"captures":false,"en_passant":false},"cost":0.0,"words":"sf3","between":false,"letter":false}],"words":"Sf3","began_ms":22202,"ended_ms":22202,"source":"keyboard","cut_in":false,"ahead":false,"fits_badly":false,"partly":false,"perhaps":[],"torn":false}');
INSERT INTO "event" VALUES(1,21,'Spoken','{"v":1,"is":"Spoken","at_ms":22219,"number":10,"completed":true,"listening":false}');
INSERT INTO "event" VALUES(1,22,'Stood','{"v":1,"is":"Stood","at_ms":22219,"moves":["e2e4","e7e5","g1f3"],"white":{"is":"SideTime","bank_ms":692905,"granted_ms":705000,"spent_ms":12095,"moves":2,"period_moves":2,"period":0},"black":{"is":"SideTime","bank_ms":603920,"granted_ms":610000,"spent_ms":6080,"moves":1,"period_moves":1,"period":0}}');
INSERT INTO "event" VALUES(1,23,'Heard','{"v":1,"is":"Heard","at_ms":26239,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":2,"to_file":2,"to_rank":5,"captures":false,"en_passant":false},"cost":0.0,"words":"sc6","between":false,"letter":false}],"words":"Sc6","began_ms":26239,"ended_ms":26239,"source":"keyboard","cut_in":false,"ahead":false,"fits_badly":false,"partly":false,"perhaps":[],"torn":false}');
INSERT INTO "event" VALUES(1,24,'Spoken','{"v":1,"is":"Spoken","at_ms":26244,"number":11,"completed":true,"listening":false}');
INSERT INTO "event" VALUES(1,25,'Stood','{"v":1,"is":"Stood","at_ms":26244,"moves":["e2e4","e7e5","g1f3","b8c6"],"white":{"is":"SideTime","bank_ms":692900,"granted_ms":705000,"spent_ms":12100,"moves":2,"period_moves":2,"period":0},"black":{"is":"SideTime","bank_ms":604900,"granted_ms":615000,"spent_ms":10100,"moves":2,"period_moves":2,"period":0}}');
INSERT INTO "event" VALUES(1,26,'Heard','{"v":1,"is":"Heard","at_ms":30250,"readings":[{"is":"Reading","meaning":{"is":"Command","name":"arbiter_take_seconds","slots":[["colour",false],["number",30]],"moves":[]},"cost":0.0,"words":"schiedsrichter schwarz 30 sekunden weniger","between":false,"letter":false}],"words":"Schiedsrichter Schwarz 30 Sekunden weniger","began_ms":30250,"ended_ms":30250,"source":"keyboard","cut_in":false,"ahead":false,"fits_badly":false,"partly":false,"perhaps":[],"torn":false}');
INSERT INTO "event" VALUES(1,27,'Spoken','{"v":1,"is":"Spoken","at_ms":30265,"number":12,"completed":true,"listening":false}');
INSERT INTO "event" VALUES(1,28,'Heard','{"v":1,"is":"Heard","at_ms":34260,"readings":[{"is":"Reading","meaning":{"is":"Answer","kind":"yes"},"cost":0.0,"words":"ja","between":false,"letter":false}],"words":"ja","began_ms":34260,"ended_ms":34260,"source":"keyboard","cut_in":false,"ahead":false,"fits_badly":false,"partly":false,"perhaps":[],"torn":false}');
INSERT INTO "event" VALUES(1,29,'Spoken','{"v":1,"is":"Spoken","at_ms":34281,"number":13,"completed":true,"listening":false}');
INSERT INTO "event" VALUES(1,30,'Heard','{"v":1,"is":"Heard","at_ms":38271,"readings":[{"is":"Reading","meaning":{"is":"Command","name":"resume","slots":[],"moves":[]},"cost":0.0,"words":"weiter","between":false,"letter":false}],"words":"weiter","began_ms":38271,"ended_ms":38271,"source":"keyboard","cut_in":false,"ahead":false,"fits_badly":false,"partly":false,"perhaps":[],"torn":false}');
INSERT INTO "event" VALUES(1,31,'Spoken','{"v":1,"is":"Spoken","at_ms":38276,"number":14,"completed":true,"listening":false}');
INSERT INTO "event" VALUES(1,32,'Heard','{"v":1,"is":"Heard","at_ms":42272,"readings":[{"is":"Reading","meaning":{"is":"Command","name":"arbiter_set","slots":[["colour",true],["number",2]],"moves":[]},"cost":0.0,"words":"schiedsrichter wei\u00df 2 minuten","between":false,"letter":false}],"words":"Schiedsrichter Wei\u00df 2 Minuten","began_ms":42272,"ended_ms":42272,"source":"keyboard","cut_in":false,"ahead":false,"fits_badly":false,"partly":false,"perhaps":[],"torn":false}');
INSERT INTO "event" VALUES(1,33,'Spoken','{"v":1,"is":"Spoken","at_ms":42281,"number":15,"completed":true,"listening":false}');
INSERT INTO "event" VALUES(1,34,'Heard','{"v":1,"is":"Heard","at_ms":46287,"readings":[{"is":"Reading","meaning":{"is":"Answer","kind":"yes"},"cost":0.0,"words":"ja","between":false,"letter":false}],"words":"ja","began_ms":46287,"ended_ms":46287,"source":"keyboard","cut_in":false,"ahead":false,"fits_badly":false,"partly":false,"perhaps":[],"torn":false}');
INSERT INTO "event" VALUES(1,35,'Spoken','{"v":1,"is":"Spoken","at_ms":46290,"number":16,"completed":true,"listening":false}');
INSERT INTO "event" VALUES(1,36,'Heard','{"v":1,"is":"Heard","at_ms":50294,"readings":[{"is":"Reading","meaning":{"is":"Command","name":"resume","slots":[],"moves":[]},"cost":0.0,"words":"weiter","between":false,"letter":false}],"words":"weiter","began_ms":50294,"ended_ms":50294,"source":"keyboard","cut_in":false,"ahead":false,"fits_badly":false,"partly":false,"perhaps":[],"torn":false}');
INSERT INTO "event" VALUES(1,37,'Spoken','{"v":1,"is":"Spoken","at_ms":50295,"number":17,"completed":true,"listening":false}');
INSERT INTO "event" VALUES(1,38,'Heard','{"v":1,"is":"Heard","at_ms":54307,"readings":[{"is":"Reading","meaning":{"is":"SpokenMove","piece":3,"to_file":1,"to_rank":4,"captures":false,"en_passant":false},"cost":0.0,"words":"lb5","between":false,"letter":false}],"words":"Lb5","began_ms":54307,"ended_ms":54307,"source":"keyboard","cut_in":false,"ahead":false,"fits_badly":false,"partly":false,"perhaps":[],"torn":false}');
INSERT INTO "event" VALUES(1,39,'Spoken','{"v":1,"is":"Spoken","at_ms":54340,"number":18,"completed":true,"listening":false}');
INSERT INTO "event" VALUES(1,40,'Stood','{"v":1,"is":"Stood","at_ms":54340,"moves":["e2e4","e7e5","g1f3","b8c6","f1b5"],"white":{"is":"SideTime","bank_ms":116980,"granted_ms":149118,"spent_ms":32138,"moves":3,"period_moves":3,"period":0},"black":{"is":"SideTime","bank_ms":574867,"granted_ms":585000,"spent_ms":10133,"moves":2,"period_moves":2,"period":0}}');
CREATE TABLE game (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  started TEXT NOT NULL,
  settings TEXT NOT NULL,
  result TEXT,
  termination TEXT
);
INSERT INTO "game" VALUES(1,'2026-11-28T22:55:31+00:00','{"v":1,"white":"voice","black":"voice","level":3,"time":"10+5","laws":2023,"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","preset":"casual","touch_move":false,"penalties":false,"white_name":"","black_name":"","site":"","rated":false,"display":"","board":0,"giver":true,"quickplay":"off","draw_after":0,"draw_consent":false,"captured":true,"quick":false,"chat":false}',NULL,NULL);
CREATE TABLE preference (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO "preference" VALUES('last_played','1');
INSERT INTO "preference" VALUES('three_words_told','1');
INSERT INTO "preference" VALUES('usual','{"v":1,"white":"voice","black":"voice","level":3,"time":"10+5","laws":2023,"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","preset":"casual","touch_move":false,"penalties":false,"white_name":"","black_name":"","site":"","rated":false,"display":"","board":0,"giver":true,"quickplay":"off","draw_after":0,"draw_consent":false,"captured":true,"quick":false,"chat":false}');
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('game',1);
COMMIT;
