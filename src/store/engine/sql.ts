/** Builds SQL for both engines, and passes many rows as one parameter. */

export type EngineName = "sqlite" | "postgres";

/** One text for both engines, or one text per engine. */
export type Sql = string | (EngineSql & { readonly unprepared?: boolean });

/** One text per engine. */
export type EngineSql = Readonly<Record<EngineName, string>>;

/** Builds the SQL for each engine, with the text that each part has for this engine. */
export function sql(strings: TemplateStringsArray, ...parts: (Sql | number)[]): EngineSql {
  const build = (engine: EngineName) =>
    String.raw({ raw: strings }, ...parts.map((part) => (typeof part === "object" ? part[engine] : part)));
  return { sqlite: build("sqlite"), postgres: build("postgres") };
}

/** Marks a statement whose text depends on the request, so that it does not fill the statement cache. */
export function unprepared(text: string): Sql {
  return { sqlite: text, postgres: text, unprepared: true };
}

/** Builds SQL around a part that has one text per engine. */
export function perEngine({ sqlite, postgres }: EngineSql, build: (part: string) => string): EngineSql {
  return { sqlite: build(sqlite), postgres: build(postgres) };
}

export function textFor(engine: EngineName, text: Sql): string {
  return typeof text === "string" ? text : text[engine];
}

export type Cell = string | number | null;

type ColumnType = "integer" | "text";

export class BoundRows {
  constructor(
    readonly columns: readonly string[],
    readonly cells: readonly (readonly Cell[])[],
  ) {}
}

/** A statement parameter that contains many rows, which the statement reads as a table. */
export class RowsParameter<Columns extends Readonly<Record<string, ColumnType>>> {
  readonly columnNames: readonly (keyof Columns & string)[];

  constructor(private readonly columns: Columns) {
    this.columnNames = Object.keys(columns) as (keyof Columns & string)[];
  }

  /** @param rows each row's cells, in the order of the columns */
  bind(rows: readonly (readonly Cell[])[]): BoundRows {
    return new BoundRows(this.columnNames, rows);
  }

  bindObjects(rows: readonly Readonly<Record<keyof Columns & string, Cell>>[]): BoundRows {
    return this.bind(rows.map((row) => this.columnNames.map((name) => row[name])));
  }

  /** Returns a table expression with one `?` for the rows. The table keeps their order. */
  table(alias: string, sqliteLimit: "" | " LIMIT -1" = ""): EngineSql {
    const types = { integer: "bigint", text: "text" };
    const cells = this.columnNames.map((name) => `"${name}" ${types[this.columns[name]!]}`);
    // Without the LIMIT, PostgreSQL's planner would assume 100 rows and scan small tables. With it, the
    // planner assumes 10 rows and uses indexes. The LIMIT is NULL, so it limits nothing.
    const table = `SELECT * FROM json_to_recordset(?::json) AS input_rows(${cells.join(", ")})`;
    return {
      sqlite: `(${this.sqliteRows}${sqliteLimit}) ${alias}`,
      postgres: `(${table} LIMIT (SELECT NULL::bigint)) ${alias}`,
    };
  }

  /**
   * Use it if a statement reads a column several times. The LIMIT keeps SQLite from parsing the JSON each
   * time.
   */
  materialisedTable(alias: string): EngineSql {
    return this.table(alias, " LIMIT -1");
  }

  private get sqliteRows(): string {
    const cells = this.columnNames.map((name, n) => `value ->> ${n} AS "${name}"`);
    // The rows are bound as bytes, because the driver copies strings slowly. `jsonb_each` parses the text
    // once, while `json_each` would parse a row's text for each cell.
    return `SELECT ${cells.join(", ")} FROM jsonb_each(CAST(? AS TEXT))`;
  }
}

/** Integers with their index `n`. */
export const NUMBERED_INTEGERS = new RowsParameter({ n: "integer", value: "integer" });

export function numberedIntegers(values: readonly number[]) {
  return NUMBERED_INTEGERS.bind(values.map((value, n) => [n, value]));
}

export const TEXTS = new RowsParameter({ value: "text" });

export function texts(values: readonly string[]) {
  return TEXTS.bind(values.map((value) => [value]));
}

/** UTF-8 bytes or a string. */
export type LargeText = string | Buffer;

export function largeTextExpression(expression: Sql): EngineSql {
  return {
    sqlite: `CAST(${textFor("sqlite", expression)} AS BLOB)`,
    postgres: textFor("postgres", expression),
  };
}
