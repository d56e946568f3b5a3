/**
 * SELECTs that share a round trip. Each trip to SQLite's thread costs about as much as a small SELECT, and under load a
 * wait for the event loop besides, so SQLite gets one statement whose columns are the results as JSON. That also spares
 * its driver from building an object a row on the event loop. PostgreSQL pipelines the statements instead.
 */
import type { Session, SqlValue } from "./engine.js";
import type { EngineName } from "./sql.js";
import { together } from "./together.js";

/** A SELECT that can run beside others. */
export class Select<Row> {
  private static count = 0;
  /** Tells statements apart; their number is that of the source code. */
  readonly id = Select.count++;
  private readonly names: readonly string[];

  /**
   * @param build the statement, with `?` for parameters
   * @param columns the columns of a row, separated by commas
   */
  constructor(
    private readonly build: (engine: EngineName) => string,
    private readonly columns: string,
  ) {
    this.names = columns.split(",").map((name) => name.trim());
  }

  /** The statement by itself. */
  text(engine: EngineName): string {
    return `SELECT ${this.columns} FROM (${this.build(engine)}) found`;
  }

  /** A statement of one row and one column: the rows as a JSON array of arrays. */
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

/** A SELECT and its parameters. */
export interface Query<Row> {
  select: Select<Row>;
  params: readonly SqlValue[];
}

/** Queries of one round trip, by name; `undefined` for one that is not needed, which gives no rows. */
export type Queries = Readonly<Record<string, Query<unknown> | undefined>>;

/** The rows of each query, under its name. */
export type RowsOfQueries<Asked extends Queries> = {
  [Name in keyof Asked]: NonNullable<Asked[Name]> extends Query<infer Row> ? Row[] : never;
};

/** Compound statements by the ids of their SELECTs; the combinations are those of the source code. */
const compounds = new Map<string, string>();

/** Runs queries as one SQLite statement. */
export async function selectAsOne<Asked extends Queries>(
  session: Pick<Session, "get">,
  queries: Asked,
): Promise<RowsOfQueries<Asked>> {
  const rows: Record<string, unknown[]> = {};
  const names: string[] = [];
  const params: SqlValue[] = [];
  let key = "";
  for (const name in queries) {
    const query = queries[name];
    rows[name] = [];
    if (!query) continue;
    names.push(name);
    params.push(...query.params);
    key += `${query.select.id} `;
  }
  if (names.length > 0) {
    let sql = compounds.get(key);
    if (!sql) {
      sql = `SELECT ${names.map((name, n) => `(${queries[name]!.select.packed}) AS part${n}`).join(", ")}`;
      compounds.set(key, sql);
    }
    const parts = await session.get<Record<string, string>>(sql, params);
    for (const [n, name] of names.entries()) rows[name] = queries[name]!.select.unpack(parts![`part${n}`]!);
  }
  return rows as RowsOfQueries<Asked>;
}

/** Runs queries one after the other on one connection, without waiting in between. */
export async function selectPipelined<Asked extends Queries>(
  session: Pick<Session, "all">,
  queries: Asked,
): Promise<RowsOfQueries<Asked>> {
  const names = Object.keys(queries);
  const found = await together(
    names.map((name) => {
      const query = queries[name];
      return query ? session.all(query.select.text("postgres"), query.params) : [];
    }),
  );
  return Object.fromEntries(names.map((name, n) => [name, found[n]])) as RowsOfQueries<Asked>;
}
