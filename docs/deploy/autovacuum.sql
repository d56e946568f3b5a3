-- Autovacuum settings for databases with millions of wires. Run it as the daemons' role: psql --file autovacuum.sql.
-- It can be run repeatedly.
-- Tables that only grow are vacuumed after a number of rows. The default share of 20 % is too rare for 100 million wires.
ALTER TABLE wires SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100000,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 500000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 200000);
ALTER TABLE inbox SET (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 500000);
-- Vacuum also moves new entries from GIN's pending list into the index.
ALTER TABLE wires_fts SET (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 100000);
-- Small tables with frequent updates: leave space for new row versions in the same page, and vacuum early.
ALTER TABLE checkpoints SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE handles SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE api_keys SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
-- Rows older than a day are deleted.
ALTER TABLE idempotency SET (autovacuum_vacuum_scale_factor = 0.02);
