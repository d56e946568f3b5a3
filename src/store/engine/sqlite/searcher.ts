import { Mutex } from "async-mutex";
import { MAX_SEARCH_MS, SearchTimeout, type Session, type SqlValue } from "../engine.js";
import type { Sql } from "../sql.js";
import type { Connection } from "./connection.js";

/**
 * Runs searches on a connection of their own, one after another. Several at a time would occupy the threads that run all
 * statements of the process, because SQLite lets only one statement of a connection run.
 */
export class Searcher implements Session {
  readonly engine = "sqlite";
  private readonly turns = new Mutex();

  constructor(
    private readonly connection: Connection,
    private readonly maxMs = MAX_SEARCH_MS,
  ) {}

  all<Row>(sql: Sql, params?: readonly SqlValue[]): Promise<Row[]> {
    return this.turns.runExclusive(() => this.withinTime(() => this.connection.all<Row>(sql, params)));
  }

  async get<Row>(sql: Sql, params?: readonly SqlValue[]): Promise<Row | undefined> {
    return (await this.all<Row>(sql, params))[0];
  }

  run(sql: Sql, params?: readonly SqlValue[]): Promise<{ changes: number }> {
    return this.turns.runExclusive(() => this.withinTime(() => this.connection.run(sql, params)));
  }

  private async withinTime<Result>(statement: () => Promise<Result>): Promise<Result> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.connection.interrupt();
    }, this.maxMs);
    try {
      return await statement();
    } catch (error) {
      throw isLate
        ? new SearchTimeout(`the search took longer than ${this.maxMs} ms`, { cause: error })
        : error;
    } finally {
      clearTimeout(timer);
    }
  }
}
