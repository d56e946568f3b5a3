/** Makes the deletion of old wires slow, so that a test can act while it runs. */
import { type Database, ENGINE } from "./database.js";

const STATEMENTS = {
  sqlite: {
    // The trigger reads 490,000 pairs of rows, because SQLite has no function that waits.
    slowDown: [
      `CREATE TABLE filler AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 700) SELECT i FROM n`,
      `CREATE TRIGGER slow AFTER DELETE ON wires BEGIN SELECT count(*) FROM filler a, filler b; END`,
    ],
    undo: ["DROP TRIGGER slow", "DROP TABLE filler"],
  },
  postgres: {
    slowDown: [
      `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.008); RETURN NULL; END $$`,
      `CREATE TRIGGER slow AFTER DELETE ON wires FOR EACH ROW EXECUTE FUNCTION slow()`,
    ],
    undo: ["DROP TRIGGER slow ON wires", "DROP FUNCTION slow"],
  },
};

/** Makes the deletion of each wire take several milliseconds. Returns a function that undoes this. */
export async function slowDownDeletion(database: Database): Promise<(database: Database) => Promise<void>> {
  const { slowDown, undo } = STATEMENTS[ENGINE];
  for (const sql of slowDown) await database.run(sql);
  return async (later) => {
    for (const sql of undo) await later.run(sql);
  };
}
