/** A look into the daemon's SQLite file, and a hand in it: for what only time would bring about. */
import { join } from "node:path";
import sqlite3 from "sqlite3";

export interface Database {
  all<Row>(sql: string, ...params: unknown[]): Promise<Row[]>;
  run(sql: string, ...params: unknown[]): Promise<number>;
  close(): Promise<void>;
}

/** The file in a data folder. SQLite lets it be opened beside a running daemon. */
export async function openDatabase(dataDir: string): Promise<Database> {
  const db = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened: sqlite3.Database = new sqlite3.Database(join(dataDir, "wireroom.db"), (error) =>
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

/** Opens the file, works on it and closes it again. */
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
