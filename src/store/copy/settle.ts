import type { Engine } from "../engine/engine.js";
import { INDEXES, type Table } from "./tables.js";

/**
 * What a database with copied rows still needs. PostgreSQL hands out numbers from sequences of its own, which are set to
 * go on after the highest, and plans by statistics. SQLite looks at the table itself.
 */
export async function settle(engine: Engine, tables: readonly Table[]): Promise<void> {
  if (engine.reader.engine === "sqlite") return;
  await engine.write(async (tx) => {
    for (const { name, columns, key } of tables) {
      const [column] = key;
      if (key.length > 1 || columns[column!] !== "integer") continue;
      // Of a column without a sequence it is NULL, and so does nothing.
      await tx.run(
        `SELECT setval(pg_get_serial_sequence('${name}', '${column}'), coalesce(max(${column}), 1), max(${column}) IS NOT NULL)
         FROM ${name}`,
      );
    }
  });
  for (const name of [...tables.map((table) => table.name), ...INDEXES]) {
    await engine.write((tx) => tx.run(`ANALYZE ${name}`));
  }
}
