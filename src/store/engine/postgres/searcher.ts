import { Semaphore } from "async-mutex";
import type { QueryResult } from "pg";
import { SearchTimeout, type SqlValue, StatementTimeout } from "../engine.js";
import type { Sql } from "../sql.js";
import { PooledSession } from "./session.js";

/**
 * Maximum number of concurrent searches, so that searches do not use up the pooled connections of other
 * reads.
 */
const MAX_CONCURRENT = 2;

export class Searcher extends PooledSession {
  private readonly turns = new Semaphore(MAX_CONCURRENT);

  protected override async query(sql: Sql, params?: readonly SqlValue[]): Promise<QueryResult> {
    try {
      return await this.turns.runExclusive(() => super.query(sql, params));
    } catch (error) {
      if (!(error instanceof StatementTimeout)) throw error;
      throw new SearchTimeout("the search took too long", { cause: error });
    }
  }
}
