/**
 * Rows of many columns as one JSON text. SQLite's driver makes an object of each row on the event loop, and copies the name
 * of each column for it; parsing one text instead takes a third of that. PostgreSQL's knows the columns of a statement
 * beforehand, and gives rows as they are.
 */
import type { Session, SqlValue } from "./engine.js";
import { type EngineName, type Sql, written } from "./sql.js";

/** A statement whose rows come packed. */
export class PackedRows<Row> {
  private readonly sql: Sql;
  private readonly names: readonly string[];

  /** @param columns names of those that are wanted, with commas between them */
  constructor(select: (engine: EngineName) => string, columns: string) {
    this.sql = written((engine) => {
      const wanted = engine === "sqlite" ? `json_group_array(json_array(${columns})) AS packed` : columns;
      return `SELECT ${wanted} FROM (${select(engine)}) found`;
    });
    this.names = columns.split(",").map((name) => name.trim());
  }

  async all(session: Session, params: readonly SqlValue[]): Promise<Row[]> {
    if (session.engine !== "sqlite") return session.all<Row>(this.sql, params);
    const packed = await session.get<{ packed: string }>(this.sql, params);
    return (JSON.parse(packed!.packed) as unknown[][]).map((cells) => {
      const row: Record<string, unknown> = {};
      for (const [n, name] of this.names.entries()) row[name] = cells[n];
      return row as Row;
    });
  }
}
