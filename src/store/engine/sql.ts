/**
 * Builds SQL for both engines, passes many rows as one parameter, and combines SELECTs into one round trip.
 */

import type { Session, SqlValue } from "./engine.js";

export type EngineName = "sqlite" | "postgres";

/**
 * A SQL statement: one text for both engines, or one text for each engine. PostgreSQL does not cache
 * statements marked as `unprepared`.
 */
export type Sql = string | (Readonly<Record<EngineName, string>> & { readonly unprepared?: boolean });

/** Builds the text of a statement for each engine from one template. */
export function perEngine(build: (engine: EngineName) => string): Sql {
  return { sqlite: build("sqlite"), postgres: build("postgres") };
}

/**
 * Marks a statement whose text depends on the request. Such statements are not cached, because the cache
 * would grow without limit.
 */
export function unprepared(text: string): Sql {
  return { sqlite: text, postgres: text, unprepared: true };
}

export function textFor(engine: EngineName, sql: Sql): string {
  return typeof sql === "string" ? sql : sql[engine];
}

export type Cell = string | number | null;

type ColumnType = "integer" | "text";

/** Rows that are bound to a statement as one parameter: see {@link RowsParameter}. */
export class BoundRows {
  constructor(
    readonly columns: readonly string[],
    readonly cells: readonly (readonly Cell[])[],
  ) {}
}

/** A statement parameter that holds many rows of one shape. The statement reads them as a table. */
export class RowsParameter<Columns extends Readonly<Record<string, ColumnType>>> {
  readonly columnNames: readonly string[];

  constructor(private readonly columns: Columns) {
    this.columnNames = Object.keys(columns);
  }

  /** @param rows the cells of each row, in the order of the columns */
  bind(rows: readonly (readonly Cell[])[]): BoundRows {
    return new BoundRows(this.columnNames, rows);
  }

  /** Returns a table expression for `FROM`, with one `?` for the rows. It keeps the order of the rows. */
  table(engine: EngineName, alias: string): string {
    if (engine === "sqlite") return `(${this.sqliteRows}) ${alias}`;
    const types = { integer: "bigint", text: "text" };
    const cells = this.columnNames.map((name) => `"${name}" ${types[this.columns[name]!]}`);
    // The PostgreSQL planner assumes 100 rows here, and so it scans small tables sequentially. With this
    // LIMIT, which is NULL and has no effect, the planner assumes 10 rows and uses indexes.
    const table = `SELECT * FROM json_to_recordset(?::json) AS input_rows(${cells.join(", ")})`;
    return `(${table} LIMIT (SELECT NULL::bigint)) ${alias}`;
  }

  /**
   * Returns the table expression for a statement that uses a column several times. The LIMIT prevents SQLite
   * from parsing the JSON again for each use.
   */
  materialisedTable(engine: EngineName, alias: string): string {
    return engine === "sqlite" ? `(${this.sqliteRows} LIMIT -1) ${alias}` : this.table(engine, alias);
  }

  private get sqliteRows(): string {
    const cells = this.columnNames.map((name, n) => `value ->> ${n} AS "${name}"`);
    // The rows are bound as bytes, because the driver copies strings slowly. `json_each` would parse the text
    // of a row again for each cell, and `jsonb_each` does not.
    return `SELECT ${cells.join(", ")} FROM jsonb_each(CAST(? AS TEXT))`;
  }
}

/** Integers, such as primary keys, each with its index `n` in the list. */
export const NUMBERED_INTEGERS = new RowsParameter({ n: "integer", value: "integer" });

export function numberedIntegers(values: readonly number[]) {
  return NUMBERED_INTEGERS.bind(values.map((value, n) => [n, value]));
}

export const TEXTS = new RowsParameter({ value: "text" });

export function texts(values: readonly string[]) {
  return TEXTS.bind(values.map((value) => [value]));
}

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
