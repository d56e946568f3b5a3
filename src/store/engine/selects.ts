/** Combines SELECTs into one round trip. */
import type { Session, SqlValue } from "./engine.js";
import type { EngineName } from "./sql.js";

/** A SELECT that {@link runSelects} can run in one round trip with others. */
export class Select<Row> {
  private static count = 0;
  /** Identifies this SELECT in the cache of combined statements. */
  readonly id = Select.count++;
  private readonly names: readonly string[];

  /** @param columns names of the result columns, separated by commas */
  constructor(
    private readonly build: (engine: EngineName) => string,
    private readonly columns: string,
  ) {
    this.names = columns.split(",").map((name) => name.trim());
  }

  get postgres(): string {
    return this.build("postgres");
  }

  /** A statement that returns all rows in one cell, as a JSON array of arrays. */
  get sqliteJson(): string {
    return `SELECT json_group_array(json_array(${this.columns})) FROM (${this.build("sqlite")}) found`;
  }

  parseSqliteJson(packed: string): Row[] {
    return (JSON.parse(packed) as unknown[][]).map((cells) => {
      const row: Record<string, unknown> = {};
      for (let n = 0; n < cells.length; n++) row[this.names[n]!] = cells[n];
      return row as Row;
    });
  }
}

/** A SELECT with its parameters. */
export interface Query<Row> {
  select: Select<Row>;
  params: readonly SqlValue[];
}

/** Queries by name. An `undefined` query is skipped and returns no rows. */
export type Queries = Readonly<Record<string, Query<unknown> | undefined>>;

/** Maps the name of each query to its rows. */
export type QueryResults<Requested extends Queries> = {
  [Name in keyof Requested]: NonNullable<Requested[Name]> extends Query<infer Row> ? Row[] : never;
};

/**
 * Runs SELECTs in one round trip. PostgreSQL pipelines them. SQLite runs one statement that returns each
 * result as JSON, because a round trip to its thread costs as much as a small SELECT, and because its driver
 * builds row objects slowly (docs/performance-internals.md).
 */
export async function runSelects<Requested extends Queries>(
  session: Pick<Session, "engine" | "all" | "get">,
  queries: Requested,
): Promise<QueryResults<Requested>> {
  const found: Record<string, unknown[]> = {};
  const requested: [name: string, query: Query<unknown>][] = [];
  for (const name in queries) {
    found[name] = [];
    const query = queries[name];
    if (query) requested.push([name, query]);
  }
  if (session.engine === "sqlite") {
    const params = requested.flatMap(([, query]) => query.params);
    const parts =
      requested.length > 0
        ? await session.get<Record<string, string>>(combinedStatement(requested), params)
        : {};
    for (const [n, [name, query]] of requested.entries())
      found[name] = query.select.parseSqliteJson(parts![`part${n}`]!);
  } else {
    const rows = await inOneRoundTrip(
      requested.map(([, query]) => session.all(query.select.postgres, query.params)),
    );
    for (const [n, [name]] of requested.entries()) found[name] = rows[n]!;
  }
  return found as QueryResults<Requested>;
}

/**
 * Caches combined statements by the ids of their SELECTs. The cache is bounded, because the source code fixes
 * all combinations.
 */
const combinedStatements = new Map<string, string>();

function combinedStatement(requested: readonly [name: string, query: Query<unknown>][]): string {
  let key = "";
  for (const [, { select }] of requested) key += `${select.id} `;
  let sql = combinedStatements.get(key);
  if (!sql) {
    sql = `SELECT ${requested.map(([, { select }], n) => `(${select.sqliteJson}) AS part${n}`).join(", ")}`;
    combinedStatements.set(key, sql);
  }
  return sql;
}

/**
 * Waits for concurrent statements, which PostgreSQL sends in one round trip. After a failure, waits until all
 * statements have ended and then throws, so that none runs during the caller's next step.
 */
export async function inOneRoundTrip<Results extends readonly unknown[]>(
  statements: {
    [Index in keyof Results]: Promise<Results[Index]> | Results[Index];
  },
): Promise<Results> {
  const outcomes = await Promise.allSettled(statements);
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed) throw failed.reason;
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as unknown as Results;
}
