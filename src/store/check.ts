/**
 * Checks a database for `wireroom store check`: the pages and indexes of a SQLite file, references between
 * tables, stored JSON, and the numbers that cursors depend on.
 * The check changes nothing. A daemon may be writing meanwhile, so each check is one statement, which sees
 * one consistent snapshot.
 */
import { countRows, lastKeyOf, readPages } from "./copy/rows.js";
import { readTables, type Table } from "./copy/tables.js";
import { parseSqliteUrl } from "./engine/database-url.js";
import type { Session } from "./engine/engine.js";
import { LAST_DELETED_MESSAGE } from "./engine/meta.js";
import { isPostgresUrl } from "./engine/postgres/url.js";
import { assertUsable, DAEMON_DATABASE_HINT } from "./engine/sqlite/files.js";
import { withReadOnlyConnection } from "./engine/sqlite/inspect.js";
import { markerProblem, readMarker } from "./engine/sqlite/marker.js";
import * as sqlite from "./engine/sqlite/migrate.js";
import { INBOX_KIND } from "./inbox/notices.js";
import { FOREVER } from "./wires/claims.js";

/** An invariant that does not hold, or that could not be checked. */
export interface BrokenInvariant {
  name: string;
  rule: string;
  /** The number of violations and some examples, or the error that prevented the check. */
  found: string;
}

export interface CheckReport {
  checked: number;
  broken: BrokenInvariant[];
}

export interface CheckProgress {
  name: string;
  /** From 0 to 1; null if unknown. */
  fraction: number | null;
}

export type OnCheck = (progress: CheckProgress) => void;

/**
 * Checks a database, `sqlite:/path/to/file` or `postgres://…`. Throws `StoreRefused` if the database cannot
 * be opened, is not a Wireroom database, or has another schema version.
 */
export async function checkStore(databaseUrl: string, onCheck: OnCheck): Promise<CheckReport> {
  if (isPostgresUrl(databaseUrl)) {
    const postgres = await import("./engine/postgres/locked-read.js");
    return postgres.withReadOnlyTransaction(databaseUrl, async (session) => {
      await postgres.assertMigrated(session);
      return checkSession(session, onCheck);
    });
  }
  const file = parseSqliteUrl(databaseUrl);
  await assertUsable(file, "read", DAEMON_DATABASE_HINT);
  return withReadOnlyConnection(file, async (connection) => {
    // Read the marker before the data, because a running daemon may replace the marker meanwhile, and a newer
    // marker would not describe the data that is read here.
    const marker = await readMarker(file);
    await sqlite.assertMigrated(connection, file);
    const { checked, broken } = await checkSession(connection, onCheck);
    if (!marker) return { checked, broken };
    const rule =
      "the database is the one that its marker names, and has every row that was there at the last mark";
    const found = await markerProblem(connection, marker);
    if (found !== undefined) broken.push({ name: "lost-commits", rule, found });
    return { checked: checked + 1, broken };
  });
}

/** Checks the data that a session sees. */
export async function checkSession(session: Session, onCheck: OnCheck): Promise<CheckReport> {
  const tables = await readTables();
  const findings: Finding[] = [];
  const search = async (name: string, rule: string, statements: readonly Statement[]) => {
    const finding = new Finding(name, rule);
    for (const { subject, violations } of statements) {
      onCheck({ name: subject, fraction: null });
      await finding.search(session, violations);
    }
    findings.push(finding);
  };
  if (session.engine === "sqlite") {
    await search(
      "file",
      "every page, index and full-text index of the file is intact",
      await fileChecks(session),
    );
    await search("references", "every reference names an existing row", referenceChecks(tables));
  }
  for (const { name, rule, violations } of COUNTERS)
    await search(name, rule, [{ subject: name, violations }]);
  findings.push(await checkDocuments(session, tables, onCheck));
  return { checked: findings.length, broken: findings.flatMap(({ broken }) => broken ?? []) };
}

interface Statement {
  /** The subject of the check, such as `pages of wires`. */
  subject: string;
  /** A SELECT with one row for each violation. Its column `example` names the violating row. */
  violations: string;
}

/**
 * Returns a separate integrity check for each table. One check of the whole file would run for long, and
 * meanwhile SQLite could not reuse the write-ahead log.
 */
async function fileChecks(session: Session): Promise<Statement[]> {
  const found = await session.all<{ name: string }>(
    "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type <> 'view'",
  );
  return found.map(({ name }) => ({
    subject: `pages of ${name}`,
    violations: `SELECT integrity_check AS example FROM pragma_integrity_check('${name}') WHERE integrity_check <> 'ok'`,
  }));
}

function referenceChecks(tables: readonly Table[]): Statement[] {
  return tables.map(({ name }) => ({
    subject: `references of ${name}`,
    violations: `SELECT concat_ws(' ', '${name}', "rowid", 'to', parent) AS example FROM pragma_foreign_key_check('${name}')`,
  }));
}

const EARLIER_WIRE = `coalesce((SELECT p.ref FROM inbox p WHERE p.handle = x.handle AND p.seq < x.seq
  AND p.kind = ${INBOX_KIND.wire} ORDER BY p.seq DESC LIMIT 1), 0)`;

/** Invariants that cursors rely on. */
const COUNTERS = [
  {
    name: "inbox-numbers",
    rule: "the items of each inbox are numbered from 1 without gaps, except where retention has deleted wires",
    violations: `SELECT '@' || h.slug || ' ' || x.seq AS example FROM inbox x JOIN handles h ON h.pk = x.handle
      WHERE x.seq <> 1 AND (x.seq < 1 OR NOT EXISTS (SELECT 1 FROM inbox p WHERE p.handle = x.handle AND p.seq = x.seq - 1)
        AND (${LAST_DELETED_MESSAGE} = 0 OR ${EARLIER_WIRE} > ${LAST_DELETED_MESSAGE}))`,
  },
  {
    name: "checkpoints",
    rule: "every checkpoint is a number of its inbox",
    violations: `SELECT '@' || h.slug AS example FROM checkpoints c JOIN handles h ON h.pk = c.handle
      WHERE c.seq < 0 OR c.seq > coalesce((SELECT max(i.seq) FROM inbox i WHERE i.handle = c.handle), 0)`,
  },
  {
    name: "vote-counts",
    rule: "the vote count of every wire is the number of its votes",
    violations: `SELECT w.id AS example FROM wires w
      LEFT JOIN (SELECT wire, count(*) AS n FROM votes GROUP BY wire) v ON v.wire = w.pk
      WHERE w.vote_count <> coalesce(v.n, 0)`,
  },
  {
    name: "claims",
    rule: "every claim is of a wire of its space that was not removed, and was made at least once",
    violations: `SELECT coalesce(w.id, CAST(c.wire AS TEXT)) AS example FROM claims c LEFT JOIN wires w ON w.pk = c.wire
      WHERE w.space IS DISTINCT FROM c.space OR w.removed_at IS NOT NULL OR c.attempt < 1 OR c.until < 0
        OR (c.until = ${FOREVER} AND c.done = 0)`,
  },
  {
    name: "cursor-secret",
    rule: "the database has the secret that signs cursors",
    violations: `SELECT 'missing' AS example
      WHERE NOT EXISTS (SELECT 1 FROM meta WHERE name = 'cursor_secret' AND length(value) = 64)`,
  },
];

const DOCUMENTS: Readonly<Record<string, readonly string[]>> = {
  wires: ["doc", "reply_rule"],
  handles: ["tags", "inbox_rule"],
  spaces: ["tags", "root_rule", "reply_rule"],
  schemas: ["json_schema"],
  approvals: ["doc", "error"],
  idempotency: ["response"],
  identity_records: ["payload"],
};

async function checkDocuments(
  session: Session,
  tables: readonly Table[],
  onCheck: OnCheck,
): Promise<Finding> {
  const finding = new Finding("documents", "every stored JSON text parses");
  for (const { name, key, columns } of tables) {
    const texts = DOCUMENTS[name];
    if (!texts) continue;
    const table: Table = {
      name,
      key,
      columns: Object.fromEntries([...key, ...texts].map((column) => [column, columns[column]!])),
    };
    try {
      const total = await countRows(session, table);
      let rows = 0;
      for await (const page of readPages(session, table)) {
        for (const row of page)
          for (const column of texts)
            if (!isJson(row[column]))
              finding.add(1, [`${name} ${lastKeyOf(table, [row]).join(" ")} ${column} is not JSON`]);
        rows += page.length;
        onCheck({ name, fraction: Math.min(rows / total, 1) });
      }
    } catch (error) {
      finding.fail(error);
    }
  }
  return finding;
}

function isJson(text: unknown): boolean {
  if (text === null) return true;
  try {
    JSON.parse(String(text));
    return true;
  } catch {
    return false;
  }
}

const MAX_EXAMPLES = 3;
const MAX_EXAMPLE_LENGTH = 200;

export class Finding {
  private count = 0;
  private readonly examples: string[] = [];
  private failure: string | undefined;

  constructor(
    readonly name: string,
    private readonly rule: string,
  ) {}

  /** @param violations a statement that selects one `example` for each violation */
  async search(session: Session, violations: string): Promise<void> {
    const limited = `SELECT example, count(*) OVER () AS n FROM (${violations}) broken LIMIT ${MAX_EXAMPLES}`;
    try {
      const rows = await session.all<{ example: string; n: number }>(limited);
      this.add(
        rows[0]?.n ?? 0,
        rows.map(({ example }) => example),
      );
    } catch (error) {
      this.fail(error);
    }
  }

  add(count: number, examples: readonly string[]): void {
    this.count += count;
    for (const example of examples.slice(0, MAX_EXAMPLES - this.examples.length))
      this.examples.push(example.replaceAll(/\s+/g, " ").slice(0, MAX_EXAMPLE_LENGTH));
  }

  fail(error: unknown): void {
    this.failure ??= `it cannot be checked: ${(error as Error).message}`;
  }

  get broken(): BrokenInvariant | undefined {
    const violations =
      this.count === 1
        ? `1 violation: ${this.examples[0]}`
        : this.count > 1 && `${this.count} violations, such as ${this.examples.join(", ")}`;
    const found = [violations, this.failure].filter(Boolean).join("; ");
    return found === "" ? undefined : { name: this.name, rule: this.rule, found };
  }
}
