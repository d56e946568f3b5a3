/**
 * SQL where engines differ. A statement is a text that both understand, or one text for each; `written` makes both from
 * one source.
 */

import type { Session, SqlValue } from "./engine.js";

export type EngineName = "sqlite" | "postgres";

/** A statement; one that is put together as it is needed is run `once`, and not prepared for the next time. */
export type Sql = string | (Readonly<Record<EngineName, string>> & { readonly once?: boolean });

/** A statement that is written once, with the parts that differ filled in for each engine. */
export function written(build: (engine: EngineName) => string): Sql {
  return { sqlite: build("sqlite"), postgres: build("postgres") };
}

/** A statement whose text depends on what is asked, so that the set of such texts has no end. */
export function once(text: string): Sql {
  return { sqlite: text, postgres: text, once: true };
}

/** The text of a statement for an engine. */
export function textFor(engine: EngineName, sql: Sql): string {
  return typeof sql === "string" ? sql : sql[engine];
}

export type Cell = string | number | null;

type ColumnType = "integer" | "text";

/** Rows as a parameter of a statement: see {@link RowsOf}. */
export class Rows {
  constructor(
    readonly columns: readonly string[],
    readonly cells: readonly (readonly Cell[])[],
  ) {}
}

/** Rows of one shape, given to a statement as one parameter, and read in it as a table. */
export class RowsOf<Columns extends Readonly<Record<string, ColumnType>>> {
  /** Names of the columns. */
  readonly names: readonly string[];

  constructor(private readonly columns: Columns) {
    this.names = Object.keys(columns);
  }

  /** @param rows cells in the order of the columns */
  bind(rows: readonly (readonly Cell[])[]): Rows {
    return new Rows(this.names, rows);
  }

  /** The table for a `FROM`, with one `?` for the rows, which come in their order. */
  as(engine: EngineName, alias: string): string {
    if (engine === "sqlite") return `(${this.sqliteRows}) ${alias}`;
    const types = { integer: "bigint", text: "text" };
    const cells = this.names.map((name) => `"${name}" ${types[this.columns[name]!]}`);
    // PostgreSQL takes them for 100 rows, for which it would rather read a small table from end to end than seek in it. Behind
    // a limit that it does not know beforehand it takes them for 10; null is none.
    const given = `SELECT * FROM json_to_recordset(?::json) AS given(${cells.join(", ")})`;
    return `(${given} LIMIT (SELECT NULL::bigint)) ${alias}`;
  }

  /**
   * The same for a statement that names cells more than once: SQLite would otherwise take them from the parameter anew each time, as it
   * merges a subquery without a limit into the statement.
   */
  asRead(engine: EngineName, alias: string): string {
    return engine === "sqlite" ? `(${this.sqliteRows} LIMIT -1) ${alias}` : this.as(engine, alias);
  }

  private get sqliteRows(): string {
    const cells = this.names.map((name, n) => `value ->> ${n} AS "${name}"`);
    // The rows are bound as bytes, as the driver copies a text slowly. `json_each` gives arrays as text, to be parsed again for each cell; `jsonb_each` does not.
    return `SELECT ${cells.join(", ")} FROM jsonb_each(CAST(? AS TEXT))`;
  }
}

/** Numbers to look rows up by. */
export const NUMBERS = new RowsOf({ n: "integer", value: "integer" });

/** @param values in the order in which they are numbered, from 0 */
export function numbered(values: readonly number[]) {
  return NUMBERS.bind(values.map((value, n) => [n, value]));
}

/** Texts to look rows up by. */
export const TEXTS = new RowsOf({ value: "text" });

export function texts(values: readonly string[]) {
  return TEXTS.bind(values.map((value) => [value]));
}

/** A SELECT that can share a round trip with others. */
export class Select<Row> {
  private static count = 0;
  /** Tells statements apart; their number is that of the source code. */
  readonly id = Select.count++;
  private readonly names: readonly string[];

  /** @param columns the columns of a row, separated by commas */
  constructor(
    private readonly build: (engine: EngineName) => string,
    private readonly columns: string,
  ) {
    this.names = columns.split(",").map((name) => name.trim());
  }

  /** The statement by itself. */
  get postgres(): string {
    return this.build("postgres");
  }

  /** A statement of one cell: the rows as a JSON array of arrays. */
  get packed(): string {
    return `SELECT json_group_array(json_array(${this.columns})) FROM (${this.build("sqlite")}) found`;
  }

  unpack(packed: string): Row[] {
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

/** Queries by name; `undefined` for one that is not needed, which gives no rows. */
export type Queries = Readonly<Record<string, Query<unknown> | undefined>>;

/** The rows of each query, under its name. */
export type RowsOfQueries<Asked extends Queries> = {
  [Name in keyof Asked]: NonNullable<Asked[Name]> extends Query<infer Row> ? Row[] : never;
};

/**
 * Runs SELECTs in one round trip. PostgreSQL pipelines them. SQLite gets one statement whose columns are the results as JSON: a
 * trip to its thread costs as much as a small SELECT, and its driver builds an object a row on the event loop (docs/performance.md).
 */
export async function select<Asked extends Queries>(
  session: Pick<Session, "engine" | "all" | "get">,
  queries: Asked,
): Promise<RowsOfQueries<Asked>> {
  const found: Record<string, unknown[]> = {};
  const asked: [name: string, query: Query<unknown>][] = [];
  for (const name in queries) {
    found[name] = [];
    const query = queries[name];
    if (query) asked.push([name, query]);
  }
  if (session.engine === "sqlite") {
    const params = asked.flatMap(([, query]) => query.params);
    const parts = asked.length > 0 ? await session.get<Record<string, string>>(compound(asked), params) : {};
    for (const [n, [name, query]] of asked.entries()) found[name] = query.select.unpack(parts![`part${n}`]!);
  } else {
    const rows = await together(asked.map(([, query]) => session.all(query.select.postgres, query.params)));
    for (const [n, [name]] of asked.entries()) found[name] = rows[n]!;
  }
  return found as RowsOfQueries<Asked>;
}

/** Compound statements by the ids of their SELECTs; the combinations are those of the source code. */
const compounds = new Map<string, string>();

function compound(asked: readonly [name: string, query: Query<unknown>][]): string {
  let key = "";
  for (const [, { select }] of asked) key += `${select.id} `;
  let sql = compounds.get(key);
  if (!sql) {
    sql = `SELECT ${asked.map(([, { select }], n) => `(${select.packed}) AS part${n}`).join(", ")}`;
    compounds.set(key, sql);
  }
  return sql;
}

/**
 * Runs statements that do not wait for each other: where the engine can, they share a round trip. All of them have ended
 * when it settles, so that none runs on into what comes next; then the first failure is thrown.
 */
export async function together<Results extends readonly unknown[]>(
  statements: {
    [Index in keyof Results]: Promise<Results[Index]> | Results[Index];
  },
): Promise<Results> {
  const settled = await Promise.allSettled(statements);
  const failed = settled.find((outcome) => outcome.status === "rejected");
  if (failed) throw failed.reason;
  return settled.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as unknown as Results;
}
