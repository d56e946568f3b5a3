import type { Engine } from "../engine/engine.js";
import { LAST_DELETED_WIRE } from "../retention/deleted-wires.js";
import { FULL_TEXT_INDEXES, type Table } from "./tables.js";

/**
 * Sets the sequences of PostgreSQL to continue after the copied primary keys, and updates its planner statistics. SQLite
 * needs neither.
 */
export async function updateSequencesAndStatistics(engine: Engine, tables: readonly Table[]): Promise<void> {
  if (engine.reader.engine === "sqlite") return;
  await engine.write(async (tx) => {
    for (const { name, columns, key } of tables) {
      const [column] = key;
      if (key.length > 1 || columns[column!] !== "integer") continue;
      // The sequence of wires also continues after those that retention has deleted.
      const last = name === "wires" ? `nullif(greatest(max(pk), ${LAST_DELETED_WIRE}), 0)` : `max(${column})`;
      // For a column without a sequence, `pg_get_serial_sequence` is NULL, and `setval` does nothing.
      await tx.run(
        `SELECT setval(pg_get_serial_sequence('${name}', '${column}'), coalesce(${last}, 1), ${last} IS NOT NULL)
         FROM ${name}`,
      );
    }
  });
  for (const name of [...tables.map((table) => table.name), ...FULL_TEXT_INDEXES]) {
    await engine.write((tx) => tx.run(`ANALYZE ${name}`));
  }
}
