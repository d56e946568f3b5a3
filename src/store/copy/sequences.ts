import type { Engine } from "../engine/engine.js";
import { LAST_DELETED_APPROVAL, LAST_DELETED_WIRE } from "../engine/meta.js";
import { FULL_TEXT_INDEXES, type Table } from "./tables.js";

const LAST_DELETED: Record<string, string> = { wires: LAST_DELETED_WIRE, approvals: LAST_DELETED_APPROVAL };

/**
 * Sets PostgreSQL's sequences so that new primary keys follow the copied ones, and updates the planner's
 * statistics. SQLite needs neither.
 */
export async function updateSequencesAndStatistics(engine: Engine, tables: readonly Table[]): Promise<void> {
  if (engine.reader.engine === "sqlite") return;
  await engine.write(async (tx) => {
    for (const { name, columns, key } of tables) {
      const [column] = key;
      if (key.length > 1 || columns[column!] !== "integer") continue;
      // The sequences of wires and approvals must also continue after the primary keys of deleted rows.
      const deleted = LAST_DELETED[name];
      const last = deleted === undefined ? `max(${column})` : `nullif(greatest(max(pk), ${deleted}), 0)`;
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
