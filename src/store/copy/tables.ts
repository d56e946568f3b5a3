/** Derives the list of tables to copy from the migrations of this version. */
import { migrations, sqliteStatements } from "../engine/migrations/index.js";
import { Connection } from "../engine/sqlite/connection.js";

export interface Table {
  name: string;
  columns: Readonly<Record<string, "integer" | "text">>;
  key: readonly string[];
}

/** A copy rebuilds these indexes, because each engine has its own format. */
export const FULL_TEXT_INDEXES = ["wires_fts", "entities_fts"] as const;

/**
 * Reads the tables from an in-memory database after all migrations. Each table comes after the tables that it
 * references.
 */
export async function readTables(): Promise<Table[]> {
  const scratch = await Connection.open(":memory:");
  try {
    for (const statement of migrations.flatMap(sqliteStatements)) await scratch.exec(statement);
    const names = await scratch.all<{ name: string }>(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'
       ORDER BY (SELECT rowid FROM sqlite_schema s WHERE s.name = pragma_table_list.name)`,
    );
    const found = await Promise.all(
      names.map(async ({ name }) => ({
        table: await readTable(scratch, name),
        references: await referencedTables(scratch, name),
      })),
    );
    return sortByReferences(found);
  } finally {
    await scratch.close();
  }
}

const TYPES = { INTEGER: "integer", TEXT: "text" } as const;

async function readTable(scratch: Connection, name: string): Promise<Table> {
  const columns = await scratch.all<{ name: string; type: string; pk: number }>(
    "SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid",
    [name],
  );
  const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  const types = columns.map((column) => {
    const type = TYPES[column.type as keyof typeof TYPES];
    if (!type) throw new Error(`${name}.${column.name} has the type ${column.type}, which cannot be copied`);
    return [column.name, type] as const;
  });
  return { name, columns: Object.fromEntries(types), key: key.map((column) => column.name) };
}

async function referencedTables(scratch: Connection, name: string): Promise<string[]> {
  const rows = await scratch.all<{ table: string }>('SELECT "table" FROM pragma_foreign_key_list(?)', [name]);
  return rows.map(({ table }) => table).filter((table) => table !== name);
}

function sortByReferences(found: readonly { table: Table; references: readonly string[] }[]): Table[] {
  const ordered: Table[] = [];
  const pending = [...found];
  while (pending.length > 0) {
    const next = pending.findIndex((one) =>
      one.references.every((reference) => ordered.some(({ name }) => name === reference)),
    );
    if (next < 0)
      throw new Error(`tables reference each other: ${pending.map(({ table }) => table.name).join(", ")}`);
    ordered.push(pending.splice(next, 1)[0]!.table);
  }
  return ordered;
}
