/** Direct access to the database of a daemon, for states that would otherwise need hours or days. */
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import sqlite3 from "sqlite3";
import { toQueryConfig } from "../../src/store/engine/postgres/statements.js";
import { createDatabase, dropDatabase } from "./postgres-server.js";

/** The engine under test. Vitest runs each suite once for each engine. */
export const ENGINE = process.env.WIREROOM_TEST_ENGINE === "postgres" ? "postgres" : "sqlite";

export interface Database {
  all<Row>(sql: string, ...params: (string | number)[]): Promise<Row[]>;
  run(sql: string, ...params: (string | number)[]): Promise<number>;
  close(): Promise<void>;
}

/** A file in a data folder with the URL of the PostgreSQL database that belongs to the folder. */
const URL_FILE = "database-url";

/** Returns flags that make a daemon use the engine under test, unless `given` selects a database. */
export async function databaseFlags(dataDir: string, given: readonly string[]): Promise<string[]> {
  if (ENGINE === "sqlite" || given.includes("--database-url")) return [];
  const file = join(dataDir, URL_FILE);
  if (!existsSync(file)) await writeFile(file, await createDatabase());
  return ["--database-url", readFileSync(file, "utf8")];
}

/** Returns the URL of the database that belongs to a data folder. */
export function databaseUrlOf(dataDir: string): string {
  if (ENGINE === "postgres") return readFileSync(join(dataDir, URL_FILE), "utf8");
  return `sqlite:${join(dataDir, "wireroom.db")}`;
}

/** Drops the PostgreSQL database that belongs to a data folder. */
export async function dropDatabaseOf(dataDir: string): Promise<void> {
  const file = join(dataDir, URL_FILE);
  if (ENGINE === "postgres" && existsSync(file)) await dropDatabase(readFileSync(file, "utf8"));
}

/** Opens the database of a data folder while a daemon uses it. */
export function openDatabase(dataDir: string): Promise<Database> {
  return openDatabaseAt(databaseUrlOf(dataDir));
}

/** @param url a `sqlite:` or `postgres:` URL */
function openDatabaseAt(url: string): Promise<Database> {
  const [, file] = /^sqlite:(.*)$/.exec(url) ?? [];
  return file === undefined ? openPostgres(url) : openSqlite(file);
}

async function openPostgres(url: string): Promise<Database> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const query = (sql: string, params: (string | number)[]) => {
    const { name: _name, ...unprepared } = toQueryConfig(sql, params);
    return client.query(unprepared);
  };
  return {
    all: async (sql, ...params) => (await query(sql, params)).rows as never,
    run: async (sql, ...params) => (await query(sql, params)).rowCount ?? 0,
    close: () => client.end(),
  };
}

async function openSqlite(file: string): Promise<Database> {
  const db = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened: sqlite3.Database = new sqlite3.Database(file, (error) =>
      error ? reject(error) : resolve(opened),
    );
  });
  db.configure("busyTimeout", 5_000);
  return {
    all: (sql, ...params) =>
      new Promise((resolve, reject) =>
        db.all(sql, params, (error, rows) => (error ? reject(error) : resolve(rows as never))),
      ),
    run: (sql, ...params) =>
      new Promise((resolve, reject) =>
        db.run(sql, params, function (error) {
          if (error) reject(error);
          else resolve(this.changes);
        }),
      ),
    close: () => new Promise((resolve, reject) => db.close((error) => (error ? reject(error) : resolve()))),
  };
}

/** Opens the database, calls `work` and closes the database. */
export async function withDatabase<Result>(
  dataDir: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  return withDatabaseAt(databaseUrlOf(dataDir), work);
}

/** Like `withDatabase`, for the database of a `sqlite:` or `postgres:` URL. */
export async function withDatabaseAt<Result>(
  url: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabaseAt(url);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Returns the errors that SQLite's integrity checks report. PostgreSQL has no such check. */
export async function integrityProblems(database: Database): Promise<unknown[]> {
  if (ENGINE !== "sqlite") return [];
  const checked = await database.all<{ integrity_check: string }>("PRAGMA integrity_check");
  const orphans = await database.all("PRAGMA foreign_key_check");
  return [...checked.filter(({ integrity_check: text }) => text !== "ok"), ...orphans];
}
