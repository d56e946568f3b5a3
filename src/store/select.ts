/** SELECTs that do not wait for each other. */
import type { Session, SqlValue } from "./engine.js";
import type { Sql } from "./sql.js";
import { together } from "./together.js";

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
