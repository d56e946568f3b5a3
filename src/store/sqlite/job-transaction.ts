/** What a job of the writer works in: its part of the transaction that the jobs of a batch share. */
import { type Session, type SqlValue, StoreUnavailable, type Transaction } from "../engine.js";
import type { News, NewsDesk } from "../news.js";
import { type Sql, textFor } from "../sql.js";
import type { Connection } from "./connection.js";

/** The transaction that jobs share, and what must be settled when it ends. */
export class Batch {
  readonly onCommit: (() => void)[] = [];
  /** Whether anything was written that must stay. */
  hasWritten = false;
  private beginning: Promise<unknown> | undefined;

  constructor(
    readonly connection: Connection,
    readonly news: NewsDesk,
  ) {}

  get hasBegun(): boolean {
    return this.beginning !== undefined;
  }

  /** Begins the transaction, where that has not happened yet. */
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

const ENDED = "this transaction has ended";

export class JobTransaction implements Transaction {
  readonly engine = "sqlite";
  readonly effects: (() => void)[] = [];
  /** Why the transaction as a whole is lost, once it is. */
  lost: StoreUnavailable | undefined;
  /** Set once, also where the first statements are written at the same time. */
  private savepoint: Promise<unknown> | undefined;
  private writes = false;
  private ended = false;
  private readonly session: Session;

  constructor(private readonly batch: Batch) {
    this.session = batch.connection;
  }

  async all<Row>(sql: Sql, params?: readonly SqlValue[]): Promise<Row[]> {
    await this.before(sql);
    return this.watched(this.session.all<Row>(sql, params));
  }

  async get<Row>(sql: Sql, params?: readonly SqlValue[]): Promise<Row | undefined> {
    await this.before(sql);
    return this.watched(this.session.get<Row>(sql, params));
  }

  async run(sql: Sql, params?: readonly SqlValue[]): Promise<{ changes: number }> {
    await this.before(sql);
    return this.watched(this.session.run(sql, params));
  }

  async runOnly(sql: Sql, params?: readonly SqlValue[]): Promise<{ changes: number }> {
    if (this.batch.hasBegun) return this.run(sql, params);
    if (this.ended) throw new Error(ENDED);
    this.ended = true;
    return this.watched(this.session.run(sql, params));
  }

  /** There is one writer: nobody else can change anything until the transaction ends. */
  async lock(): Promise<void> {}

  afterCommit(effect: () => void): void {
    this.effects.push(effect);
  }

  announce(news: News): void {
    this.afterCommit(() => this.batch.news.publish(news));
  }

  async release(): Promise<void> {
    this.ended = true;
    if (this.lost) throw this.lost;
    if (this.savepoint) await this.watched(this.session.run("RELEASE job"));
    if (this.writes) this.batch.hasWritten = true;
  }

  async rollback(): Promise<void> {
    this.ended = true;
    if (this.savepoint) {
      await this.session.run("ROLLBACK TO job");
      await this.session.run("RELEASE job");
    } else if (this.writes) {
      await this.batch.rollback();
      await this.batch.begin();
    }
  }

  /** Ends it where there is nothing left to roll back to. */
  abandon(reason: StoreUnavailable): StoreUnavailable {
    this.ended = true;
    return reason;
  }

  /** Sets the savepoint before the first statement that writes, where others have written before. */
  private async before(sql: Sql): Promise<void> {
    if (this.ended) throw new Error(ENDED);
    if (this.lost) throw this.lost;
    if (/^\s*SELECT\b/.test(textFor("sqlite", sql))) return;
    this.writes = true;
    await this.batch.begin();
    if (!this.batch.hasWritten) return;
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
