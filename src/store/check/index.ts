/**
 * Verifies the invariants of the stored data, for `wireroom store check`. The check changes nothing, and a
 * daemon may be running on the database. Each statement reads its own snapshot, and nearly all of them end
 * within a fraction of a second, because a long one would keep the write-ahead log of the daemon from being
 * reused. So an invariant may only state what the rows of one snapshot show.
 */
import { readTables, type Table } from "../copy/tables.js";
import { parseSqliteUrl } from "../engine/database-url.js";
import type { Session } from "../engine/engine.js";
import { isPostgresUrl } from "../engine/postgres/url.js";
import { textFor } from "../engine/sql.js";
import { withReadOnlyConnection } from "../engine/sqlite/inspect.js";
import { markerProblem, readMarker } from "../engine/sqlite/marker.js";
import { assertMigrated } from "../engine/sqlite/migrate.js";
import { DOCUMENTS, DocumentCheck } from "./documents.js";
import { FILE_RULE, indexChecks, REFERENCES_RULE, referenceCheck, wholeFileChecks } from "./file.js";
import { type BrokenInvariant, Finding, selectExamples } from "./findings.js";
import type { Part } from "./invariant.js";
import { INVARIANTS } from "./invariants.js";
import { Coverage, conditionOf, paramsOf, type Range, type RangedTable, rangesOf } from "./ranges.js";

export type { BrokenInvariant } from "./findings.js";

export interface CheckReport {
  /** Number of invariants that were checked. */
  checked: number;
  broken: BrokenInvariant[];
}

export interface CheckProgress {
  /** What is being checked, such as a table. */
  name: string;
  /** The part of it that has been checked, from 0 to 1. Null if that is unknown. */
  fraction: number | null;
}

export type OnCheck = (progress: CheckProgress) => void;

/** Sessions that read the database. The same session may serve for both. */
export interface CheckSessions {
  /**
   * Runs statements about ranges. On PostgreSQL, it joins by indexes only, whatever the planner estimates.
   */
  ranges: Session;
  /** Runs statements that read whole tables. */
  whole: Session;
}

/**
 * Holds the pages of a range, and of the indexes that its statements search. Wires that follow each other
 * have different senders, so the last page of the index of each sender is needed again and again: 40 MiB for
 * an index with 10,000 senders.
 */
const CACHE_KIB = 128 * 1024;

/**
 * Checks a database, `sqlite:/path/to/file` or `postgres://…`. Throws `StoreRefused` if it cannot be opened,
 * is not a Wireroom database, or has another schema version.
 */
export async function checkStore(databaseUrl: string, onCheck: OnCheck): Promise<CheckReport> {
  if (isPostgresUrl(databaseUrl)) {
    const { withCheckSessions } = await import("./postgres.js");
    return withCheckSessions(databaseUrl, (sessions) => checkSessions(sessions, onCheck));
  }
  const file = parseSqliteUrl(databaseUrl);
  return withReadOnlyConnection(file, async (connection) => {
    // The marker is read before the data, because a running daemon may write a newer one.
    const marker = await readMarker(file);
    await assertMigrated(connection, file);
    await connection.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
    const report = await checkSessions({ ranges: connection, whole: connection }, onCheck);
    if (!marker) return report;
    const rule =
      "the database is the one that its marker names, and has every row that was there at the last mark";
    const found = await markerProblem(connection, marker);
    if (found !== undefined) report.broken.push({ name: "lost-commits", rule, found });
    return { ...report, checked: report.checked + 1 };
  });
}

/** Checks the data that the sessions see. */
export async function checkSessions(sessions: CheckSessions, onCheck: OnCheck): Promise<CheckReport> {
  return new Check(sessions, onCheck).run();
}

/** A statement about the rows of a range, and where its violations are recorded. */
interface RangeSearch {
  sql: string;
  finding: Finding;
}

class Check {
  private readonly file = new Finding("file", FILE_RULE);
  private readonly references = new Finding("references", REFERENCES_RULE);
  private readonly invariants = INVARIANTS.map(({ name, rule, parts }) => ({
    finding: new Finding(name, rule),
    parts,
  }));
  private readonly documents = DOCUMENTS.map((stored) => new DocumentCheck(stored));

  constructor(
    private readonly sessions: CheckSessions,
    private readonly onCheck: OnCheck,
  ) {}

  async run(): Promise<CheckReport> {
    const { whole } = this.sessions;
    const tables = await readTables();
    for (const { name, violations } of await wholeFileChecks(whole, tables)) {
      this.onCheck({ name, fraction: null });
      await this.search(whole, violations, [], this.file);
    }
    for (const table of tables) await this.checkTable(table.name, table.key, await this.engineChecks(table));
    for (const name of ["wires_fts", "entities_fts"]) await this.checkTable(name, ["rowid"], []);
    for (const { finding, parts } of this.invariants) {
      for (const part of parts) if (part.table === null) await this.checkWhole(part, finding);
    }
    const all = [
      this.file,
      this.references,
      ...this.invariants.map(({ finding }) => finding),
      ...this.documents.map(({ finding }) => finding),
    ];
    // All documents are one invariant.
    const checked = all.length - this.documents.length + 1;
    return { checked, broken: all.flatMap(({ broken }) => broken ?? []) };
  }

  /** Returns the statements about the rows of a table that PostgreSQL makes unnecessary. */
  private async engineChecks(table: Table): Promise<RangeSearch[]> {
    const { ranges } = this.sessions;
    const references = await referenceCheck(ranges, table);
    return [
      ...(await indexChecks(ranges, table)).map((sql) => ({ sql, finding: this.file })),
      ...(references === undefined ? [] : [{ sql: references, finding: this.references }]),
    ];
  }

  private async checkWhole({ violations, suspicion, assumes = [] }: Part, finding: Finding): Promise<void> {
    this.onCheck({ name: finding.name, fraction: null });
    const { whole } = this.sessions;
    const mayTrust = !this.invariants.some(
      ({ finding: other }) => assumes.includes(other.name) && other.broken,
    );
    try {
      if (suspicion !== undefined && mayTrust && (await whole.get(suspicion)) === undefined) return;
    } catch (error) {
      return finding.fail(error);
    }
    await this.search(whole, textFor(whole.engine, violations), [], finding);
  }

  /**
   * Checks all statements about the rows of a table, range by range, so that they find the pages in the
   * cache.
   */
  private async checkTable(
    name: string,
    key: readonly string[],
    engineChecks: readonly RangeSearch[],
  ): Promise<void> {
    const { ranges: session } = this.sessions;
    const document = this.documents.find(({ table }) => table === name);
    const parts = [
      ...engineChecks,
      ...this.invariants.flatMap(({ finding, parts: all }) =>
        all
          .filter(({ table }) => table === name)
          .map(({ violations }) => ({ sql: textFor(session.engine, violations), finding })),
      ),
    ];
    if (parts.length === 0 && !document) return;
    const table: RangedTable = { name, key, texts: document?.texts ?? [] };
    try {
      this.onCheck({ name, fraction: 0 });
      const coverage = await Coverage.of(session, table);
      for await (const range of rangesOf(session, table)) {
        // The first statement reads the documents. Node.js parses them while the database runs the others.
        const rows = document?.read(session, key, range).catch((error) => document.finding.fail(error));
        const searches = parts.map(({ sql, finding }) => this.searchRange(table, range, sql, finding));
        document?.check((await rows) ?? []);
        await Promise.all(searches);
        this.onCheck({ name, fraction: coverage.upTo(range) });
      }
    } catch (error) {
      // The table cannot be divided, such as because of a damaged page.
      for (const { finding } of parts) finding.fail(error);
      document?.finding.fail(error);
    }
  }

  private searchRange({ key }: RangedTable, range: Range, sql: string, finding: Finding): Promise<void> {
    const text = sql.replace(/\{(\w+)\}/g, (_, alias: string) => conditionOf(key, range, alias));
    return this.search(this.sessions.ranges, text, paramsOf(range), finding);
  }

  private async search(
    session: Session,
    violations: string,
    params: ReturnType<typeof paramsOf>,
    finding: Finding,
  ): Promise<void> {
    try {
      const rows = await session.all<{ example: string; n: number }>(selectExamples(violations), params);
      if (rows.length === 0) return;
      finding.add(
        rows[0]!.n,
        rows.map(({ example }) => example),
      );
    } catch (error) {
      finding.fail(error);
    }
  }
}
