/**
 * Rows of many columns as one JSON text. SQLite's driver makes an object of each row on the event loop, and copies the name
 * of each column for it; parsing one text instead takes a third of that. PostgreSQL's knows the columns of a statement
 * beforehand, and gives rows as they are.
 */
import type { Session, SqlValue } from "./engine.js";
import type { EngineName, Sql } from "./sql.js";
import { together } from "./together.js";

/** A statement whose rows come packed. */
export class PackedRows<Row> {
  private readonly names: readonly string[];

  /** @param columns names of those that are wanted, with commas between them */
  constructor(
    private readonly select: (engine: EngineName) => string,
    private readonly columns: string,
  ) {
    this.names = columns.split(",").map((name) => name.trim());
  }

  /** Its text; in SQLite one row with one cell. */
  text(engine: EngineName): string {
    const { columns } = this;
    const wanted = engine === "sqlite" ? `json_group_array(json_array(${columns})) AS packed` : columns;
    return `SELECT ${wanted} FROM (${this.select(engine)}) found`;
  }

  unpack(packed: string): Row[] {
    return (JSON.parse(packed) as unknown[][]).map((cells) => {
      const row: Record<string, unknown> = {};
      for (const [n, name] of this.names.entries()) row[name] = cells[n];
      return row as Row;
    });
  }
}

/** Statements that are run together. In SQLite they are one: each would be a journey to its thread and back. */
export class PackedStatements<Rows extends readonly unknown[]> {
  private readonly sqlite: Sql;
  private readonly postgres: readonly Sql[];

  constructor(private readonly parts: { [Index in keyof Rows]: PackedRows<Rows[Index]> }) {
    const texts = (engine: EngineName) => parts.map((part: PackedRows<unknown>) => part.text(engine));
    this.sqlite = `SELECT ${texts("sqlite").map((text, n) => `(${text}) AS part${n}`)}`;
    this.postgres = texts("postgres");
  }

  /** @param params of each statement, in their order */
  async all(
    session: Session,
    params: { [Index in keyof Rows]: readonly SqlValue[] },
  ): Promise<{ [Index in keyof Rows]: Rows[Index][] }> {
    const found =
      session.engine === "sqlite"
        ? this.unpack(await session.get<Record<string, string>>(this.sqlite, params.flat() as SqlValue[]))
        : await together(this.postgres.map((sql, n) => session.all(sql, params[n] as readonly SqlValue[])));
    return found as { [Index in keyof Rows]: Rows[Index][] };
  }

  private unpack(row: Record<string, string> | undefined): unknown[][] {
    return this.parts.map((part: PackedRows<unknown>, n) => part.unpack(row![`part${n}`]!));
  }
}
