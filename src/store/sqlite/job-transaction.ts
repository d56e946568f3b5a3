/** The part of a shared SQLite transaction that one job of the writer works in. */
import { type Session, type SqlValue, StoreUnavailable, type Transaction } from "../engine.js";
import type { ChangeEvent, EventBus } from "../events.js";
import { type Sql, textFor } from "../sql.js";
import type { Connection } from "./connection.js";

/** The transaction that jobs share. */
export class SharedTransaction {
  /** Effects of the jobs that succeeded, to run once the transaction is durable. */
  readonly onCommit: (() => void)[] = [];
  /** Whether a job has written something that must be kept when a later job fails. */
  hasWritten = false;

  constructor(
    readonly connection: Connection,
    readonly events: EventBus,
  ) {}

  async begin(): Promise<void> {
    await this.connection.run("BEGIN IMMEDIATE");
  }

  async commit(): Promise<void> {
    await this.connection.run("COMMIT");
  }

  async rollback(): Promise<void> {
    await this.connection.run("ROLLBACK");
  }
}

interface Statement {
  sql: Sql;
  params: readonly SqlValue[] | undefined;
}

/**
 * A job's transaction. A failed job is undone by a savepoint, which is set before its first write and only if an earlier job
 * has written: otherwise the shared transaction is rolled back and begins anew.
 */
export class JobTransaction implements Transaction {
  readonly engine = "sqlite";
  readonly effects: (() => void)[] = [];
  /** The error that ended the shared transaction, savepoints included, such as a full disk. */
  lost: StoreUnavailable | undefined;
  private readonly queued: Statement[] = [];
  private savepoint: Promise<unknown> | undefined;
  private writes = false;
  private ended = false;
  private readonly session: Session;

  constructor(private readonly shared: SharedTransaction) {
    this.session = shared.connection;
  }

  async all<Row>(sql: Sql, params?: readonly SqlValue[]): Promise<Row[]> {
    await this.prepareFor(sql);
    return this.watched(this.session.all<Row>(sql, params));
  }

  async get<Row>(sql: Sql, params?: readonly SqlValue[]): Promise<Row | undefined> {
    return (await this.all<Row>(sql, params))[0];
  }

  async run(sql: Sql, params?: readonly SqlValue[]): Promise<{ changes: number }> {
    await this.prepareFor(sql);
    return this.watched(this.session.run(sql, params));
  }

  enqueue(sql: Sql, params?: readonly SqlValue[]): void {
    this.assertUsable();
    this.queued.push({ sql, params });
  }

  /** There is one writer: nobody else can change anything until the transaction ends. */
  async lock(): Promise<void> {}

  afterCommit(effect: () => void): void {
    this.effects.push(effect);
  }

  publish(event: ChangeEvent): void {
    this.afterCommit(() => this.shared.events.publish(event));
  }

  /** Runs what is queued and ends the job. What it wrote is durable once the shared transaction is committed. */
  async finish(): Promise<void> {
    if (this.lost) throw this.lost;
    await this.flush();
    if (this.savepoint) await this.watched(this.session.run("RELEASE job"));
    if (this.writes) this.shared.hasWritten = true;
    this.ended = true;
  }

  async rollback(): Promise<void> {
    this.ended = true;
    if (this.savepoint) {
      await this.session.run("ROLLBACK TO job");
      await this.session.run("RELEASE job");
    } else if (this.writes) {
      await this.shared.rollback();
      await this.shared.begin();
    }
  }

  /** Ends the job of a transaction that is lost: there is nothing left to roll back to. */
  abandon(): void {
    this.ended = true;
  }

  /** Runs what is queued. */
  private async flush(): Promise<void> {
    for (const { sql, params } of this.queued.splice(0)) await this.run(sql, params);
  }

  private assertUsable(): void {
    if (this.ended) throw new Error("this transaction has ended");
    if (this.lost) throw this.lost;
  }

  private async prepareFor(sql: Sql): Promise<void> {
    this.assertUsable();
    if (this.queued.length > 0) await this.flush();
    if (/^\s*SELECT\b/.test(textFor("sqlite", sql))) return;
    this.writes = true;
    if (!this.shared.hasWritten) return;
    this.savepoint ??= this.watched(this.session.run("SAVEPOINT job"));
    await this.savepoint;
  }

  private async watched<Result>(statement: Promise<Result>): Promise<Result> {
    try {
      return await statement;
    } catch (error) {
      if (error instanceof StoreUnavailable) this.lost = error;
      throw error;
    }
  }
}
