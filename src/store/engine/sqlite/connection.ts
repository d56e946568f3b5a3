/**
 * A promise-based SQLite connection. Only this file uses the driver `sqlite3`, because the driver's
 * repository is archived and it may have to be replaced.
 */
import sqlite3 from "sqlite3";
import { monotonicMs } from "../../../kernel/clock.js";
import { type Session, type SqlValue, StoreFailed } from "../engine.js";
import { BoundRows, type Sql, textFor } from "../sql.js";
import { OPEN_EXTENDED_CODES, toStoreError } from "./errors.js";

type OnFailure = (failure: StoreFailed) => void;

/** The number is limited, because a client can create ever more statements by varying the page size. */
const MAX_PREPARED = 1_000;

export class Connection implements Session {
  readonly engine = "sqlite";
  /** Keyed by SQL text. A statement beyond {@link MAX_PREPARED} is finalized after use. */
  private readonly statements = new Map<string, Promise<sqlite3.Statement>>();

  private readonly uncached = new Set<sqlite3.Statement>();
  private watch: StatementWatch | undefined;

  private constructor(
    private readonly db: sqlite3.Database,
    private readonly onFailure: OnFailure | undefined,
  ) {}

  /** @param onFailure called if the disk fails in a later statement */
  static open(file: string, onFailure?: OnFailure): Promise<Connection> {
    return Connection.connect(file, sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE, onFailure);
  }

  static openReadOnly(file: string): Promise<Connection> {
    return Connection.connect(file, sqlite3.OPEN_READONLY);
  }

  private static connect(file: string, mode: number, onFailure?: OnFailure): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const db = new sqlite3.Database(file, mode | OPEN_EXTENDED_CODES, (error) => {
        if (error) reject(toStoreError(error));
        else resolve(new Connection(db, onFailure));
      });
    });
  }

  exec(sql: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.db.exec(sql, (error) => (error ? reject(this.failure(error)) : resolve()));
    });
  }

  async all<Row>(sql: Sql, params: readonly SqlValue[] = []): Promise<Row[]> {
    const statement = await this.prepare(textFor("sqlite", sql));
    return new Promise((resolve, reject) => {
      this.watch?.begin();
      statement.all(toDriverValues(params), (error: Error | null, rows: Row[]) => {
        this.watch?.end();
        if (error) reject(this.failure(error));
        else resolve(rows);
      });
      this.release(statement);
    });
  }

  async get<Row>(sql: Sql, params: readonly SqlValue[] = []): Promise<Row | undefined> {
    // The driver's `get` does not reset the statement, so a read transaction would stay open.
    return (await this.all<Row>(sql, params))[0];
  }

  async run(sql: Sql, params: readonly SqlValue[] = []): Promise<{ changes: number }> {
    const statement = await this.prepare(textFor("sqlite", sql));
    const failure = (error: Error) => this.failure(error);
    return new Promise((resolve, reject) => {
      statement.run(toDriverValues(params), function (this: sqlite3.RunResult, error: Error | null) {
        if (error) reject(failure(error));
        else resolve({ changes: this.changes });
      });
      this.release(statement);
    });
  }

  interrupt(): void {
    this.db.interrupt();
  }

  /**
   * Later reads that take longer than `maxMs` throw `StatementTimeout`. Must not be called during a
   * statement.
   */
  limitStatements(maxMs: number): void {
    this.watch = new StatementWatch(maxMs, () => this.interrupt());
  }

  async close(): Promise<void> {
    const statements = await Promise.allSettled(this.statements.values());
    for (const outcome of statements) {
      if (outcome.status === "fulfilled") {
        await new Promise<void>((resolve) => outcome.value.finalize(() => resolve()));
      }
    }
    this.statements.clear();
    await new Promise<void>((resolve, reject) => {
      this.db.close((error) => (error ? reject(toStoreError(error)) : resolve()));
    });
  }

  private failure(error: Error): Error {
    const storeError = toStoreError(error);
    if (storeError instanceof StoreFailed) this.onFailure?.(storeError);
    return storeError;
  }

  private prepare(sql: string): Promise<sqlite3.Statement> {
    let prepared = this.statements.get(sql);
    if (!prepared) {
      const isUncached = this.statements.size >= MAX_PREPARED;
      prepared = new Promise((resolve, reject) => {
        const statement = this.db.prepare(sql, (error: Error | null) => {
          if (error) {
            this.statements.delete(sql);
            reject(this.failure(error));
          } else resolve(statement);
        });
        if (isUncached) this.uncached.add(statement);
      });
      if (!isUncached) this.statements.set(sql, prepared);
    }
    return prepared;
  }

  /** The driver finalizes a statement only after the calls that are queued for it. */
  private release(statement: sqlite3.Statement): void {
    if (this.uncached.delete(statement)) statement.finalize();
  }
}

function toDriverValues(params: readonly SqlValue[]): unknown[] {
  return params.map((value) =>
    value instanceof BoundRows ? Buffer.from(JSON.stringify(value.cells)) : value,
  );
}

/**
 * Interrupts a connection's statement that exceeds the time limit. SQLite runs a connection's statements one
 * after another, so a statement's time starts when the previous statement ends.
 */
class StatementWatch {
  private statements = 0;
  private runningSinceMs = 0;
  /** Keeps running between statements, because a new timer for each statement would be too costly. */
  private timer: NodeJS.Timeout | undefined;

  /** @param interrupt stops only the running statement, not the queued ones */
  constructor(
    private readonly maxMs: number,
    private readonly interrupt: () => void,
  ) {}

  begin(): void {
    if (this.statements++ > 0) return;
    this.runningSinceMs = monotonicMs();
    if (!this.timer) this.checkIn(this.maxMs);
  }

  end(): void {
    this.statements--;
    this.runningSinceMs = monotonicMs();
  }

  private get leftMs(): number {
    return this.runningSinceMs + this.maxMs - monotonicMs();
  }

  private checkIn(delayMs: number): void {
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (this.statements === 0) return;
      if (this.leftMs > 0) return this.checkIn(this.leftMs);
      // If the event loop was busy, the statement may have ended, so let its result arrive first.
      setImmediate(() => {
        if (this.statements > 0 && this.leftMs <= 0) this.interrupt();
      });
      this.checkIn(this.maxMs);
    }, delayMs).unref();
  }
}
