import { Mutex } from "async-mutex";
import { SearchTimeout, type Session, type SqlValue, StatementTimeout } from "../engine.js";
import type { Sql } from "../sql.js";
import type { Connection } from "./connection.js";

/**
 * Runs searches one after another on a separate connection. SQLite runs only one statement of a connection at
 * a time, so concurrent searches would block threads of the pool that runs all statements of the process.
 */
export class Searcher implements Session {
  readonly engine = "sqlite";
  private readonly turns = new Mutex();

  /** @param connection a connection whose statements have a time limit */
  constructor(private readonly connection: Connection) {}

  all<Row>(sql: Sql, params?: readonly SqlValue[]): Promise<Row[]> {
    return this.turns.runExclusive(() => this.connection.all<Row>(sql, params).catch(rethrow));
  }

  async get<Row>(sql: Sql, params?: readonly SqlValue[]): Promise<Row | undefined> {
    return (await this.all<Row>(sql, params))[0];
  }

  run(sql: Sql, params?: readonly SqlValue[]): Promise<{ changes: number }> {
    return this.turns.runExclusive(() => this.connection.run(sql, params).catch(rethrow));
  }
}

function rethrow(error: unknown): never {
  throw error instanceof StatementTimeout
    ? new SearchTimeout("the search took too long", { cause: error })
    : error;
}
