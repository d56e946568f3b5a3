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
  /** Rows are copies of it: writing to fields that are there takes less than adding them. */
  private readonly template: Readonly<Record<string, unknown>>;

  /** @param columns names of those that are wanted, with commas between them */
  constructor(
    private readonly select: (engine: EngineName) => string,
    private readonly columns: string,
  ) {
    this.names = columns.split(",").map((name) => name.trim());
    this.template = Object.fromEntries(this.names.map((name) => [name, null]));
  }

  /** Its text; in SQLite one row with one cell. */
  text(engine: EngineName): string {
    const { columns } = this;
    const wanted = engine === "sqlite" ? `json_group_array(json_array(${columns})) AS packed` : columns;
    return `SELECT ${wanted} FROM (${this.select(engine)}) found`;
  }

  unpack(packed: string): Row[] {
    return (JSON.parse(packed) as unknown[][]).map((cells) => {
      const row: Record<string, unknown> = { ...this.template };
      for (let n = 0; n < cells.length; n++) row[this.names[n]!] = cells[n];
      return row as Row;
    });
  }
}

/**
 * Statements that are run together, each only where something is asked of it. In SQLite those asked are one statement: each
 * would be a journey to its thread and back.
 */
export class PackedStatements<Rows extends readonly unknown[]> {
  private readonly parts: readonly PackedRows<unknown>[];
  private readonly postgres: readonly Sql[];
  /** By which parts are asked, as bits. */
  private readonly sqlite = new Map<number, Sql>();

  constructor(parts: { [Index in keyof Rows]: PackedRows<Rows[Index]> }) {
    this.parts = parts;
    this.postgres = parts.map((part) => part.text("postgres"));
  }

  /** @param params of each statement, in their order; null for one of which nothing is asked, which gives no rows */
  async all(
    session: Session,
    params: { [Index in keyof Rows]: readonly SqlValue[] | null },
  ): Promise<{ [Index in keyof Rows]: Rows[Index][] }> {
    const asked: readonly (readonly SqlValue[] | null)[] = params;
    const found =
      session.engine === "sqlite"
        ? await this.inOne(session, asked)
        : await together(asked.map((each, n) => (each ? session.all(this.postgres[n]!, each) : [])));
    return found as { [Index in keyof Rows]: Rows[Index][] };
  }

  private async inOne(
    session: Session,
    asked: readonly (readonly SqlValue[] | null)[],
  ): Promise<unknown[][]> {
    const bits = asked.reduce((sum, each, n) => sum + (each ? 2 ** n : 0), 0);
    let sql = this.sqlite.get(bits);
    if (!sql) {
      const parts = this.parts.flatMap((part, n) => (asked[n] ? `(${part.text("sqlite")}) AS part${n}` : []));
      sql = `SELECT ${parts.join(", ")}`;
      this.sqlite.set(bits, sql);
    }
    const row = await session.get<Record<string, string>>(
      sql,
      asked.flatMap((each) => each ?? []),
    );
    return this.parts.map((part, n) => (asked[n] ? part.unpack(row![`part${n}`]!) : []));
  }
}
