/**
 * Verifies the invariants of the stored data, for `wireroom store check`. The check reads one snapshot and changes
 * nothing, so a daemon may be running on the database.
 */
import { parseSqliteUrl } from "../engine/database-url.js";
import type { Session } from "../engine/engine.js";
import { isPostgresUrl } from "../engine/postgres/url.js";
import { perEngine, textFor } from "../engine/sql.js";
import { withReadOnlyConnection } from "../engine/sqlite/inspect.js";
import { markerProblem, readMarker } from "../engine/sqlite/marker.js";
import { assertMigrated } from "../engine/sqlite/migrate.js";
import { checkDocuments } from "./documents.js";
import type { Invariant } from "./invariant.js";
import { INVARIANTS } from "./invariants.js";

/** An invariant that does not hold, or that could not be checked. */
export interface BrokenInvariant {
  name: string;
  rule: string;
  /** The number of violations and examples of them, or the error of the check. */
  found: string;
}

export interface CheckReport {
  /** Number of invariants that were checked. */
  checked: number;
  broken: BrokenInvariant[];
}

/** Progress callback, which is called before each invariant is checked. */
export type OnCheck = (name: string) => void;

/**
 * Checks a database, `sqlite:/path/to/file` or `postgres://…`. Throws `StoreRefused` if it cannot be opened, is not a
 * Wireroom database, or has another schema version.
 */
export async function checkStore(databaseUrl: string, onCheck: OnCheck): Promise<CheckReport> {
  const file = isPostgresUrl(databaseUrl) ? undefined : parseSqliteUrl(databaseUrl);
  // The marker is read before the snapshot begins, because a running daemon may write a newer one.
  const marker = file && (await readMarker(file));
  return withSnapshot(databaseUrl, async (session) => {
    const report = await checkSession(session, onCheck);
    if (!marker) return report;
    const rule =
      "the database is the one that its marker names, and has every row that was there at the last mark";
    const found = await markerProblem(session, marker);
    if (found !== undefined) report.broken.push({ name: "lost-commits", rule, found });
    return { ...report, checked: report.checked + 1 };
  });
}

/** Checks the data that a session sees. */
export async function checkSession(session: Session, onCheck: OnCheck): Promise<CheckReport> {
  const report: CheckReport = { checked: 0, broken: [] };
  for (const invariant of INVARIANTS) {
    onCheck(invariant.name);
    report.checked++;
    const found = await violationsOf(session, invariant).catch(describeFailure);
    if (found !== undefined) report.broken.push({ name: invariant.name, rule: invariant.rule, found });
  }
  onCheck("documents");
  await checkAllDocuments(session, report);
  return report;
}

/** Runs `work` on a snapshot of the database that it cannot change. */
async function withSnapshot<Result>(
  databaseUrl: string,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  if (isPostgresUrl(databaseUrl)) {
    const { withReadOnlySnapshot } = await import("../engine/postgres/locked-read.js");
    return withReadOnlySnapshot(databaseUrl, work);
  }
  const file = parseSqliteUrl(databaseUrl);
  return withReadOnlyConnection(file, async (connection) => {
    await assertMigrated(connection, file);
    await connection.exec("PRAGMA temp_store = MEMORY; BEGIN");
    return work(connection);
  });
}

const MAX_EXAMPLES = 3;

/** Returns a text about the violations of an invariant, or undefined if there is none. */
async function violationsOf(session: Session, { violations }: Invariant): Promise<string | undefined> {
  const found = perEngine(
    (engine) =>
      `SELECT example, count(*) OVER () AS n FROM (${textFor(engine, violations)}) broken LIMIT ${MAX_EXAMPLES}`,
  );
  const rows = await session.all<{ example: string; n: number }>(found);
  return rows.length === 0
    ? undefined
    : summarise(
        rows[0]!.n,
        rows.map(({ example }) => example),
      );
}

async function checkAllDocuments(session: Session, report: CheckReport): Promise<void> {
  const rule = "every stored JSON text parses, has the shape of its resource, and agrees with its row";
  report.checked++;
  try {
    for await (const { table, problems } of checkDocuments(session)) {
      if (problems.length === 0) continue;
      const found = summarise(problems.length, problems.slice(0, MAX_EXAMPLES));
      report.broken.push({ name: "documents", rule, found: `${table}: ${found}` });
    }
  } catch (error) {
    report.broken.push({ name: "documents", rule, found: describeFailure(error) });
  }
}

function summarise(count: number, examples: readonly string[]): string {
  const list = examples.map((example) => example.replaceAll(/\s+/g, " ").slice(0, 200)).join(", ");
  return count === 1 ? `1 violation: ${list}` : `${count} violations, such as ${list}`;
}

/** Describes an error of the database, such as a damaged page, as the finding of the check. */
function describeFailure(error: unknown): string {
  return `it cannot be checked: ${(error as Error).message}`;
}
