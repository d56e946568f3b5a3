import { Semaphore } from "../../kernel/semaphore.js";
import { SearchTimeout, type Session, type SqlValue, StatementTimeout } from "./engine.js";
import type { EngineName, Sql } from "./sql.js";

/** Limits the number of concurrent searches, so that other reads are not delayed. */
export class Searcher implements Session {
  readonly engine: EngineName;
  private readonly turns: Semaphore;

  constructor(
    private readonly session: Session,
    maxConcurrent: number,
  ) {
    this.engine = session.engine;
    this.turns = new Semaphore(maxConcurrent);
  }

  all<Row>(sql: Sql, params?: readonly SqlValue[]): Promise<Row[]> {
    return this.limited(() => this.session.all<Row>(sql, params));
  }

  get<Row>(sql: Sql, params?: readonly SqlValue[]): Promise<Row | undefined> {
    return this.limited(() => this.session.get<Row>(sql, params));
  }

  run(sql: Sql, params?: readonly SqlValue[]): Promise<{ changes: number }> {
    return this.limited(() => this.session.run(sql, params));
  }

  private async limited<Result>(statement: () => Promise<Result>): Promise<Result> {
    try {
      return await this.turns.run(statement);
    } catch (error) {
      if (!(error instanceof StatementTimeout)) throw error;
      throw new SearchTimeout("the search took too long", { cause: error });
    }
  }
}
