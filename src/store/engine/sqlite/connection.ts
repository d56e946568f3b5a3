/** One SQLite connection behind promises, so that the driver (`sqlite3`, archived upstream) can be replaced. */
import sqlite3 from "sqlite3";
import { type Session, type SqlValue, StoreUnavailable } from "../engine.js";
import { Rows, type Sql, textFor } from "../sql.js";

/** Primary result codes that say that the database, not the statement, is at fault. */
const UNAVAILABLE = new Set([
  "SQLITE_BUSY",
  "SQLITE_LOCKED",
  "SQLITE_FULL",
  "SQLITE_IOERR",
  "SQLITE_READONLY",
  "SQLITE_CANTOPEN",
  "SQLITE_NOMEM",
  "SQLITE_CORRUPT",
  "SQLITE_NOTADB",
]);

export class Connection implements Session {
  readonly engine = "sqlite";
  /** Statements are prepared once; the set of SQL texts is that of the source code, so it is bounded. */
  private readonly statements = new Map<string, Promise<sqlite3.Statement>>();

  private constructor(private readonly db: sqlite3.Database) {}

  /** Opens or creates the file. */
  static open(file: string): Promise<Connection> {
    return Connection.connect(file, sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE);
  }

  /** Opens a file that is there, and never changes it. */
  static openReadOnly(file: string): Promise<Connection> {
    return Connection.connect(file, sqlite3.OPEN_READONLY);
  }

  private static connect(file: string, mode: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const db = new sqlite3.Database(file, mode, (error) => {
        if (error) reject(translate(error));
        else resolve(new Connection(db));
      });
    });
  }

  /** Runs statements that return nothing, such as pragmas and DDL. */
  exec(sql: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.db.exec(sql, (error) => (error ? reject(translate(error)) : resolve()));
    });
  }

  async all<Row>(sql: Sql, params: readonly SqlValue[] = []): Promise<Row[]> {
    const statement = await this.prepare(textFor("sqlite", sql));
    return new Promise((resolve, reject) => {
      statement.all(bound(params), (error: Error | null, rows: Row[]) =>
        error ? reject(translate(error)) : resolve(rows),
      );
    });
  }

  async get<Row>(sql: Sql, params: readonly SqlValue[] = []): Promise<Row | undefined> {
    // `Statement#get` leaves the statement open on its row, which holds a read transaction; `all` resets it.
    return (await this.all<Row>(sql, params))[0];
  }

  async run(sql: Sql, params: readonly SqlValue[] = []): Promise<{ changes: number }> {
    const statement = await this.prepare(textFor("sqlite", sql));
    return new Promise((resolve, reject) => {
      statement.run(bound(params), function (this: sqlite3.RunResult, error: Error | null) {
        if (error) reject(translate(error));
        else resolve({ changes: this.changes });
      });
    });
  }

  async close(): Promise<void> {
    const statements = await Promise.allSettled(this.statements.values());
    for (const settled of statements) {
      if (settled.status === "fulfilled") {
        await new Promise<void>((resolve) => settled.value.finalize(() => resolve()));
      }
    }
    this.statements.clear();
    await new Promise<void>((resolve, reject) => {
      this.db.close((error) => (error ? reject(translate(error)) : resolve()));
    });
  }

  private prepare(sql: string): Promise<sqlite3.Statement> {
    let prepared = this.statements.get(sql);
    if (!prepared) {
      prepared = new Promise((resolve, reject) => {
        const statement = this.db.prepare(sql, (error: Error | null) => {
          if (error) {
            this.statements.delete(sql);
            reject(translate(error));
          } else resolve(statement);
        });
      });
      this.statements.set(sql, prepared);
    }
    return prepared;
  }
}

function bound(params: readonly SqlValue[]): unknown[] {
  return params.map((value) => (value instanceof Rows ? Buffer.from(JSON.stringify(value.cells)) : value));
}

function translate(error: Error): Error {
  const code = (error as Error & { code?: string }).code;
  return code && UNAVAILABLE.has(code) ? new StoreUnavailable(error.message, { cause: error }) : error;
}
