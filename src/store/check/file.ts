/**
 * Checks what PostgreSQL guarantees itself: the pages of the file, its indexes, and the references between
 * tables. SQLite's `integrity_check` does all that in one statement, which takes minutes on a large file. So
 * the structure of each table is checked by one statement, and the entries of its indexes range by range.
 */
import type { Table } from "../copy/tables.js";
import type { Session } from "../engine/engine.js";

export const FILE_RULE = "every page, index and full-text index of the file is intact";
export const REFERENCES_RULE = "every reference names an existing row";

interface Statement {
  /** What the statement checks. */
  name: string;
  violations: string;
}

/** Returns the statements about whole tables: their structure, and the number of entries of their indexes. */
export async function wholeFileChecks(session: Session, tables: readonly Table[]): Promise<Statement[]> {
  if (session.engine !== "sqlite") return [];
  const found = await session.all<{ name: string; type: string }>(
    "SELECT name, type FROM pragma_table_list WHERE schema = 'main'",
  );
  const structures = found.flatMap(({ name, type }) => {
    if (type === "view") return [];
    // The quick check of `sqlite_schema` includes the list of free pages. A full-text index has its own
    // check.
    const check = type === "virtual" ? "integrity_check" : "quick_check";
    return {
      name: `pages of ${name}`,
      violations: `SELECT ${check} AS example FROM pragma_${check}('${name}') WHERE ${check} <> 'ok'`,
    };
  });
  const counts = await Promise.all(tables.map((table) => countCheck(session, table)));
  return [...structures, ...counts.flatMap((statement) => statement ?? [])];
}

interface Indexes {
  /** The clause that makes SQLite read the table itself. */
  table: string;
  indexes: Index[];
}

interface Index {
  name: string;
  columns: string[];
  /** The rows that the index contains, as an SQL condition. */
  condition: string;
}

/**
 * Returns the indexes of a table, without that of the primary key of a table without row ids, which is the
 * table itself.
 */
async function indexesOf(session: Session, table: string): Promise<Indexes> {
  const found = await session.all<{ name: string; sql: string | null; is_table: number }>(
    `SELECT i.name, s.sql, i.origin = 'pk' AND (SELECT wr FROM pragma_table_list('${table}')) AS is_table
     FROM pragma_index_list('${table}') i LEFT JOIN sqlite_schema s ON s.name = i.name AND s.type = 'index'`,
  );
  const indexes = found
    .filter(({ is_table }) => !is_table)
    .map(async ({ name, sql }) => {
      const columns = await session.all<{ name: string }>(
        `SELECT name FROM pragma_index_xinfo('${name}') WHERE name IS NOT NULL`,
      );
      const condition = /\bWHERE\b(.*)$/s.exec(sql ?? "")?.[1] ?? "true";
      return { name, columns: columns.map((column) => column.name), condition };
    });
  const itself = found.find(({ is_table }) => is_table);
  return {
    table: itself ? `INDEXED BY ${itself.name}` : "NOT INDEXED",
    indexes: await Promise.all(indexes),
  };
}

/**
 * Returns the statement that selects the indexes with more or fewer entries than rows; undefined if the table
 * has no index.
 */
async function countCheck(session: Session, { name: table }: Table): Promise<Statement | undefined> {
  const { table: itself, indexes } = await indexesOf(session, table);
  if (indexes.length === 0) return undefined;
  const rows = indexes.map(({ condition }, n) => `coalesce(sum(${condition}), 0) AS rows${n}`);
  const wrong = indexes.map(
    ({ name, condition }, n) => `SELECT 'entries of ${name}' AS example FROM counted
      WHERE rows${n} <> (SELECT count(*) FROM ${table} INDEXED BY ${name} WHERE ${condition})`,
  );
  return {
    name: `indexes of ${table}`,
    violations: `WITH counted AS MATERIALIZED (SELECT ${rows.join(", ")} FROM ${table} ${itself}) ${wrong.join(" UNION ALL ")}`,
  };
}

/** Returns the statements that select the rows of a range which an index does not contain. */
export async function indexChecks(session: Session, { name: table, key }: Table): Promise<string[]> {
  if (session.engine !== "sqlite") return [];
  const { table: itself, indexes } = await indexesOf(session, table);
  return indexes.map(({ name, columns, condition }) => {
    const same = [...new Set([...columns, ...key])].map((column) => `i."${column}" IS x."${column}"`);
    return `SELECT concat_ws(' ', '${name}', ${listKey(key)}) AS example FROM ${table} x ${itself} WHERE {x} AND (${condition})
      AND NOT EXISTS (SELECT 1 FROM ${table} i INDEXED BY ${name} WHERE (${condition}) AND ${same.join(" AND ")})`;
  });
}

/**
 * Returns the statement that selects the rows of a range whose references name no row; undefined if the table
 * has none.
 */
export async function referenceCheck(session: Session, { name, key }: Table): Promise<string | undefined> {
  if (session.engine !== "sqlite") return undefined;
  const references = await session.all<{ table: string; from: string; to: string }>(
    `SELECT "table", "from", "to" FROM pragma_foreign_key_list('${name}')`,
  );
  if (references.length === 0) return undefined;
  const missing = references.map(
    ({ table, from, to }) => `SELECT concat_ws(' ', '${name}', ${listKey(key)}, 'to', '${table}') AS example
      FROM ${name} x WHERE {x} AND x."${from}" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${table} p WHERE p."${to}" = x."${from}")`,
  );
  return missing.join(" UNION ALL ");
}

const listKey = (key: readonly string[]) => key.map((column) => `x."${column}"`).join(", ");
