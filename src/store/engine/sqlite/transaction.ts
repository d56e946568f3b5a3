/**
 * Implements group commit's transactions: `SharedTransaction`, which several jobs share, and
 * `JobTransaction`, one job's view of it.
 *
 * The shared transaction begins at the first writing statement. So a job that only reads, or that writes with
 * a single queued statement, needs no BEGIN and COMMIT. A job is open until `finish`, `rollback` or
 * `endWithoutRollback`. If an earlier job has written, a job takes a savepoint before its first write, so
 * that its rollback does not undo the earlier job's writes. `writer.ts` runs one job at a time.
 *
 * Invariants: a job's queued statements run in order, before the job's next statement. After a fatal error,
 * such as a full disk, no statement of the job runs.
 */
import { type Session, type SqlValue, StoreUnavailable, type Transaction } from "../engine.js";
import type { ChangeEvent, EventBus } from "../events.js";
import { type Sql, textFor } from "../sql.js";
import type { Connection } from "./connection.js";

export class SharedTransaction {
  readonly onCommit: (() => void)[] = [];
  /** Later jobs then use a savepoint, so that they can roll back separately. */
  hasWritten = false;
  private beginning: Promise<unknown> | undefined;

  constructor(
    readonly connection: Connection,
    readonly events: EventBus,
  ) {}

  get hasBegun(): boolean {
    return this.beginning !== undefined;
  }

  async begin(): Promise<void> {
    this.beginning ??= this.connection.run("BEGIN IMMEDIATE");
    await this.beginning;
  }

  async commit(): Promise<void> {
    if (this.hasBegun) await this.connection.run("COMMIT");
  }

  async rollback(): Promise<void> {
    if (!this.hasBegun) return;
    await this.connection.run("ROLLBACK");
    this.beginning = undefined;
  }
}

interface Statement {
  sql: Sql;
  params: readonly SqlValue[] | undefined;
}

/**
 * One job's writes in a transaction that several jobs share. After another job's writes, a savepoint lets
 * this job roll back separately.
 */
export class JobTransaction implements Transaction {
  readonly engine = "sqlite";
  readonly effects: (() => void)[] = [];
  fatalError: StoreUnavailable | undefined;
  private readonly queued: Statement[] = [];
  private savepoint: Promise<unknown> | undefined;
  private hasWritten = false;
  private ended = false;
  private readonly session: Session;

  constructor(private readonly shared: SharedTransaction) {
    this.session = shared.connection;
  }

  async all<Row>(sql: Sql, params?: readonly SqlValue[]): Promise<Row[]> {
    await this.prepareFor(sql);
    return this.trackFatalError(this.session.all<Row>(sql, params));
  }

  async get<Row>(sql: Sql, params?: readonly SqlValue[]): Promise<Row | undefined> {
    return (await this.all<Row>(sql, params))[0];
  }

  async run(sql: Sql, params?: readonly SqlValue[]): Promise<{ changes: number }> {
    await this.prepareFor(sql);
    return this.trackFatalError(this.session.run(sql, params));
  }

  enqueue(sql: Sql, params?: readonly SqlValue[]): void {
    this.assertUsable();
    this.queued.push({ sql, params });
  }

  /** SQLite has one writer, so no other transaction can change a row. */
  async lock(): Promise<void> {}

  afterCommit(effect: () => void): void {
    this.effects.push(effect);
  }

  publish(event: ChangeEvent): void {
    this.afterCommit(() => this.shared.events.publish(event));
  }

  /** Runs the job's queued writes. They become durable when the shared transaction commits. */
  async finish(): Promise<void> {
    if (this.fatalError) throw this.fatalError;
    const [only, ...others] = this.queued;
    if (only && others.length === 0 && !this.shared.hasBegun) {
      await this.trackFatalError(this.session.run(only.sql, only.params));
      this.hasWritten = true;
    } else {
      await this.flush();
    }
    if (this.savepoint) await this.trackFatalError(this.session.run("RELEASE job"));
    if (this.hasWritten) this.shared.hasWritten = true;
    this.ended = true;
  }

  async rollback(): Promise<void> {
    this.ended = true;
    if (this.savepoint) {
      await this.session.run("ROLLBACK TO job");
      await this.session.run("RELEASE job");
    } else if (this.hasWritten) {
      await this.shared.rollback();
      await this.shared.begin();
    }
  }

  /** Call this after a fatal error, because SQLite has then already rolled back the shared transaction. */
  endWithoutRollback(): void {
    this.ended = true;
  }

  private async flush(): Promise<void> {
    for (const { sql, params } of this.queued.splice(0)) await this.run(sql, params);
  }

  private assertUsable(): void {
    if (this.ended) throw new Error("this transaction has ended");
    if (this.fatalError) throw this.fatalError;
  }

  private async prepareFor(sql: Sql): Promise<void> {
    this.assertUsable();
    if (this.queued.length > 0) await this.flush();
    if (/^\s*SELECT\b/.test(textFor("sqlite", sql))) return;
    this.hasWritten = true;
    await this.shared.begin();
    if (!this.shared.hasWritten) return;
    this.savepoint ??= this.trackFatalError(this.session.run("SAVEPOINT job"));
    await this.savepoint;
  }

  private async trackFatalError<Result>(statement: Promise<Result>): Promise<Result> {
    try {
      return await statement;
    } catch (error) {
      if (error instanceof StoreUnavailable) this.fatalError = error;
      throw error;
    }
  }
}
