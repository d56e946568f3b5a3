/** What a copy goes through: every table of this version, as its migrations make it. */
import { migrations } from "../engine/migrations/index.js";
import { textFor } from "../engine/sql.js";
import { Connection } from "../engine/sqlite/connection.js";

export interface Table {
  name: string;
  columns: Readonly<Record<string, "integer" | "text">>;
  /** The primary key's columns in their order. */
  key: readonly string[];
}

/** What full-text search finds things by: made anew from the rows, as each engine keeps it in a form of its own. */
export const INDEXES = ["wires_fts", "entities_fts"] as const;

/** The tables, each after those that it refers to. They are read from a database that the migrations make in memory. */
export async function readTables(): Promise<Table[]> {
  const model = await Connection.open(":memory:");
  try {
    for (const { sql } of migrations) {
      for (const statement of sql) await model.exec(textFor("sqlite", statement));
    }
    const names = await model.all<{ name: string }>(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'
       ORDER BY (SELECT rowid FROM sqlite_schema s WHERE s.name = pragma_table_list.name)`,
    );
    const found = await Promise.all(
      names.map(async ({ name }) => ({
        table: await readTable(model, name),
        needs: await needs(model, name),
      })),
    );
    return inOrder(found);
  } finally {
    await model.close();
  }
}

const TYPES = { INTEGER: "integer", TEXT: "text" } as const;

async function readTable(model: Connection, name: string): Promise<Table> {
  const columns = await model.all<{ name: string; type: string; pk: number }>(
    "SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid",
    [name],
  );
  const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  const types = columns.map((column) => {
    const type = TYPES[column.type as keyof typeof TYPES];
    if (!type) throw new Error(`${name}.${column.name} has the type ${column.type}, which no copy can carry`);
    return [column.name, type] as const;
  });
  return { name, columns: Object.fromEntries(types), key: key.map((column) => column.name) };
}

/** Other tables that rows of this one refer to. */
async function needs(model: Connection, name: string): Promise<string[]> {
  const rows = await model.all<{ table: string }>('SELECT "table" FROM pragma_foreign_key_list(?)', [name]);
  return rows.map(({ table }) => table).filter((table) => table !== name);
}

/** As they were created, but for those that refer to a later one. */
function inOrder(found: readonly { table: Table; needs: readonly string[] }[]): Table[] {
  const ordered: Table[] = [];
  const pending = [...found];
  while (pending.length > 0) {
    const next = pending.findIndex((one) =>
      one.needs.every((need) => ordered.some(({ name }) => name === need)),
    );
    if (next < 0)
      throw new Error(`tables refer to each other: ${pending.map(({ table }) => table.name).join(", ")}`);
    ordered.push(pending.splice(next, 1)[0]!.table);
  }
  return ordered;
}
