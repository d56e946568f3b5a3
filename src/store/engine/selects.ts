/** Combines SELECTs into one round trip. */
import type { Session, SqlValue } from "./engine.js";
import type { EngineSql } from "./sql.js";

export class Select<Row> {
  private static count = 0;
  readonly id = Select.count++;
  private readonly names: readonly string[];

  /** @param columns names of the result columns, separated by commas */
  constructor(
    private readonly text: EngineSql,
    columns: string,
  ) {
    this.names = columns.split(",").map((name) => name.trim());
  }

  get postgres(): string {
    return this.text.postgres;
  }

  /** Returns all rows in a single cell, as a JSON array of arrays. */
  get sqliteJson(): string {
    const cells = this.names.map((name) => `"${name}"`).join(", ");
    return `SELECT json_group_array(json_array(${cells})) FROM (${this.text.sqlite}) found`;
  }

  parseSqliteJson(packed: string): Row[] {
    return (JSON.parse(packed) as unknown[][]).map((cells) => {
      const row: Record<string, unknown> = {};
      for (let n = 0; n < cells.length; n++) row[this.names[n]!] = cells[n];
      return row as Row;
    });
  }
}

interface Request {
  select: { readonly id: number; readonly sqliteJson: string };
  params: readonly SqlValue[];
  resolve(packed: string): void;
  reject(error: unknown): void;
}

/**
 * Sends all SELECTs that are requested before the next `await` in one round trip. PostgreSQL pipelines them.
 * SQLite runs one statement that returns each result as JSON, because each round trip to its thread costs as
 * much as a small SELECT. JSON also avoids row objects, which its driver builds slowly
 * (docs/performance-internals.md).
 */
export class RoundTrip {
  private requests: Request[] = [];

  constructor(readonly session: Session) {}

  select<Row>(select: Select<Row>, params: readonly SqlValue[] = []): Promise<Row[]> {
    if (this.session.engine === "postgres") return this.session.all<Row>(select.postgres, params);
    return new Promise((resolve, reject) => {
      if (this.requests.length === 0) queueMicrotask(() => void this.send());
      const parse = (packed: string) => resolve(select.parseSqliteJson(packed));
      this.requests.push({ select, params, resolve: parse, reject });
    });
  }

  private async send(): Promise<void> {
    const { requests } = this;
    this.requests = [];
    try {
      const params = requests.flatMap((request) => request.params);
      const parts = await this.session.get<Record<string, string>>(combinedStatement(requests), params);
      for (const [n, { resolve }] of requests.entries()) resolve(parts![`part${n}`]!);
    } catch (error) {
      for (const { reject } of requests) reject(error);
    }
  }
}

/** Keyed by the SELECTs' ids. The map stays small, because only the combinations in the source code occur. */
const combinedStatements = new Map<string, string>();

function combinedStatement(requests: readonly Request[]): string {
  let key = "";
  for (const { select } of requests) key += `${select.id} `;
  let sql = combinedStatements.get(key);
  if (!sql) {
    sql = `SELECT ${requests.map(({ select }, n) => `(${select.sqliteJson}) AS part${n}`).join(", ")}`;
    combinedStatements.set(key, sql);
  }
  return sql;
}

/**
 * Waits for all statements even if one fails, so that none is still running during the caller's next step.
 */
export async function inOneRoundTrip<const Statements extends readonly unknown[]>(
  statements: Statements,
): Promise<{ -readonly [Index in keyof Statements]: Awaited<Statements[Index]> }> {
  await Promise.allSettled(statements);
  return Promise.all(statements);
}
