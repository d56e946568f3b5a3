import { Semaphore } from "async-mutex";
import type { QueryResult } from "pg";
import { MAX_SEARCH_MS, SearchTimeout, type SqlValue } from "../engine.js";
import { inOneRoundTrip, type Sql } from "../sql.js";
import { isConnectionLost, isTimeout, toStoreError } from "./errors.js";
import type { Pool } from "./pool.js";
import { PooledSession, sendQuery } from "./session.js";
import { toQueryConfig } from "./statements.js";

/** Maximum number of searches at a time, so that searches do not use up the pooled connections of other reads. */
const MAX_CONCURRENT = 2;

/** Runs each search in a transaction of its own, because `SET LOCAL` limits the time only there. */
export class Searcher extends PooledSession {
  private readonly turns = new Semaphore(MAX_CONCURRENT);

  constructor(
    pool: Pool,
    private readonly maxMs = MAX_SEARCH_MS,
  ) {
    super(pool);
  }

  protected override query(sql: Sql, params?: readonly SqlValue[]): Promise<QueryResult> {
    return this.turns.runExclusive(() =>
      this.pool.use(async (lease) => {
        const send = (text: Sql, values?: readonly SqlValue[]) =>
          sendQuery(lease.client, toQueryConfig(text, values));
        try {
          const [, , found] = await inOneRoundTrip([
            send("BEGIN READ ONLY"),
            send(`SET LOCAL statement_timeout = ${this.maxMs}`),
            send(sql, params),
            send("COMMIT"),
          ]);
          return found;
        } catch (error) {
          lease.isBroken = isConnectionLost(error);
          if (isTimeout(error))
            throw new SearchTimeout(`the search took longer than ${this.maxMs} ms`, { cause: error });
          throw toStoreError(error);
        }
      }),
    );
  }
}
