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
    // `json_each` gives arrays as text, to be parsed again for each cell; `jsonb_each` does not.
    return `SELECT ${cells.join(", ")} FROM jsonb_each(?)`;
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

/** A SELECT with its parameters. */
export interface Query<Row> {
  sql: Sql;
  params: readonly SqlValue[];
  /** Never set: carries the type of a row. */
  row?: Row;
}

/** Queries by name; `undefined` for one that is not needed, which gives no rows. */
export type Queries = Readonly<Record<string, Query<unknown> | undefined>>;

/** The rows of each query, under its name. */
export type RowsOfQueries<Asked extends Queries> = {
  [Name in keyof Asked]: NonNullable<Asked[Name]> extends Query<infer Row> ? Row[] : never;
};

/** Runs SELECTs side by side; on PostgreSQL they share a round trip. */
export async function select<Asked extends Queries>(
  session: Pick<Session, "all">,
  queries: Asked,
): Promise<RowsOfQueries<Asked>> {
  const names = Object.keys(queries);
  const found = await together(
    names.map((name) => {
      const query = queries[name];
      return query ? session.all(query.sql, query.params) : [];
    }),
  );
  return Object.fromEntries(names.map((name, n) => [name, found[n]])) as RowsOfQueries<Asked>;
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
