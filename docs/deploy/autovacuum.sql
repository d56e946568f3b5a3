-- For databases of millions of wires, by the daemons' role: psql --file autovacuum.sql. To be run again at will.
-- Vacuum what only grows by number, not by share: of 100 M wires the usual 20 % come too seldom.
ALTER TABLE wires SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100000,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 500000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 200000);
ALTER TABLE inbox SET (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 500000);
-- Its vacuum also moves what is new to GIN from the pending list into the index.
ALTER TABLE wires_fts SET (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 100000);
-- Small, and updated all the time: room for new versions of a row beside it, and vacuum early.
ALTER TABLE checkpoints SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE handles SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE api_keys SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
-- Emptied of what is older than a day.
ALTER TABLE idempotency SET (autovacuum_vacuum_scale_factor = 0.02);
