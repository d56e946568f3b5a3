/** A look into the daemon's database, and a hand in it: for what only time would bring about. */
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import sqlite3 from "sqlite3";
import { statement } from "../../src/store/engine/postgres/statements.js";
import { createDatabase, dropDatabase } from "./postgres-server.js";

/** Which engine the tests run on: each suite runs once on each. */
export const ENGINE = process.env.WIREROOM_TEST_ENGINE === "postgres" ? "postgres" : "sqlite";

export interface Database {
  all<Row>(sql: string, ...params: (string | number)[]): Promise<Row[]>;
  run(sql: string, ...params: (string | number)[]): Promise<number>;
  close(): Promise<void>;
}

/** In a data folder: the URL of the PostgreSQL database that belongs to it. */
const URL_FILE = "database-url";

/** Flags that let a daemon on this data folder use the engine under test, unless it is told which database to use. */
export async function databaseFlags(dataDir: string, given: readonly string[]): Promise<string[]> {
  if (ENGINE === "sqlite" || given.includes("--database-url")) return [];
  const file = join(dataDir, URL_FILE);
  if (!existsSync(file)) await writeFile(file, await createDatabase());
  return ["--database-url", readFileSync(file, "utf8")];
}

/** Drops what belongs to a data folder that is about to be removed. */
export async function dropDatabaseOf(dataDir: string): Promise<void> {
  const file = join(dataDir, URL_FILE);
  if (ENGINE === "postgres" && existsSync(file)) await dropDatabase(readFileSync(file, "utf8"));
}

/** The database of a data folder, opened beside a running daemon. */
export function openDatabase(dataDir: string): Promise<Database> {
  return ENGINE === "postgres"
    ? openPostgres(readFileSync(join(dataDir, URL_FILE), "utf8"))
    : openSqlite(join(dataDir, "wireroom.db"));
}

async function openPostgres(url: string): Promise<Database> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const query = (sql: string, params: (string | number)[]) => {
    const { name: _name, ...unprepared } = statement(sql, params);
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

/** Opens the database, works on it and closes it again. */
export async function inDatabase<Result>(
  dataDir: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(dataDir);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** What the engine itself finds wrong with its file. PostgreSQL has no such question, and starts on what it can vouch for. */
export async function problemsOf(database: Database): Promise<unknown[]> {
  if (ENGINE !== "sqlite") return [];
  const checked = await database.all<{ integrity_check: string }>("PRAGMA integrity_check");
  const orphans = await database.all("PRAGMA foreign_key_check");
  return [...checked.filter(({ integrity_check: text }) => text !== "ok"), ...orphans];
}
