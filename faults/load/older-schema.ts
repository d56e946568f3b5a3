/** Takes a SQLite database back to the schema that an earlier migration made, with its data. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { migrations, sqliteStatements } from "../../src/store/engine/migrations/index.js";
import { Connection } from "../../src/store/engine/sqlite/connection.js";
import { markerOf } from "../../src/store/engine/sqlite/marker.js";

/** Ids of all migrations except the newest. */
export const OLDER_SCHEMAS = migrations.slice(0, -1).map(({ id }) => id);

/** Until this migration, wires were stored without the slugs of their sender, recipient and space. */
const NAMES_ID = migrations.find(({ name }) => name === "names")!.id;

/** The type of each object by its name. The name of a column is `table.column`. */
type Objects = Map<string, "view" | "trigger" | "index" | "table" | "column">;

/** The order in which objects are dropped: an object comes before the objects that it uses. */
const DROPPED = ["view", "trigger", "index", "table", "column"] as const;

/** @param id the newest migration that remains */
export async function takeBackTo(id: number, dataDir: string): Promise<void> {
  const { wanted, indexes } = await schemaOf(id);
  const file = join(dataDir, "wireroom.db");
  const db = await Connection.open(file);
  try {
    await db.exec("BEGIN IMMEDIATE");
    for (const kind of DROPPED) {
      for (const [name, found] of await objectsOf(db)) {
        if (found !== kind || wanted.has(name)) continue;
        const [table, column] = name.split(".");
        await db.exec(
          column ? `ALTER TABLE ${table} DROP COLUMN ${column}` : `DROP ${kind} IF EXISTS ${name}`,
        );
      }
    }
    const kept = await objectsOf(db);
    for (const { name, sql } of indexes) if (!kept.has(name)) await db.exec(sql);
    if (id < NAMES_ID)
      await db.exec(
        `UPDATE wires SET doc = substr(doc, 1, instr(doc, ',"sender":') - 1) || substr(doc, instr(doc, ',"text_body":'))`,
      );
    await db.exec(`DELETE FROM migrations WHERE id > ${id}`);
    await db.exec("COMMIT");
    await db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    const made = await objectsOf(db);
    const missing = [...wanted.keys()].filter((name) => !made.has(name));
    if (missing.length > 0) throw new Error(`no longer part of the schema: ${missing.join(", ")}`);
  } finally {
    await db.close();
  }
  // Versions with these schemas wrote no marker.
  rmSync(markerOf(file), { force: true });
}

interface Index {
  name: string;
  sql: string;
}

/** Returns the objects that the migrations up to `id` make, and the statements that create their indexes. */
async function schemaOf(id: number): Promise<{ wanted: Objects; indexes: Index[] }> {
  const db = await Connection.open(":memory:");
  try {
    for (const statement of migrations.filter((each) => each.id <= id).flatMap(sqliteStatements))
      await db.exec(statement);
    const wanted = (await objectsOf(db)).set("migrations", "table");
    const indexes = await db.all<Index>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL",
    );
    return { wanted, indexes };
  } finally {
    await db.close();
  }
}

async function objectsOf(db: Connection): Promise<Objects> {
  const rows = await db.all<{ type: "view" | "trigger" | "index" | "table"; name: string }>(
    "SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!'",
  );
  const objects: Objects = new Map(rows.map(({ type, name }) => [name, type]));
  for (const { name } of rows.filter(({ type, name }) => type === "table" && name !== "migrations")) {
    const columns = await db.all<{ name: string }>("SELECT name FROM pragma_table_info(?)", [name]);
    for (const column of columns) objects.set(`${name}.${column.name}`, "column");
  }
  return objects;
}
