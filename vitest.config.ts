import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Tests that read or write the store through a daemon. They run on both engines. */
const ON_BOTH = [
  ...["rest", "faults"].map((folder) => `test/${folder}/**/*.test.ts`),
  "test/service/connections.test.ts",
  "test/daemon/tracing.test.ts",
  // Calls every operation once, which runs the statements of those whose tests run on SQLite alone.
  "test/sdk/operations.test.ts",
  ...["external-sign-in", "official-clients"].map((name) => `test/oauth/${name}.test.ts`),
  // The other attacks end before the store, are on the identity provider alone, or read what test/rest reads
  // on both.
  "test/attacks/search.test.ts",
];

/**
 * Tests of `test/rest` that run on SQLite alone: they end before the store, start more commands and daemons
 * than they run queries, or use statements that other tests run on PostgreSQL and have no race that only
 * PostgreSQL, which runs transactions at the same time, can lose.
 */
const SQLITE_REST = [
  ...[
    "addresses",
    "authentication",
    "compatibility",
    "envelope",
    "export",
    "json-bodies",
    "knock-times",
    "messages",
  ],
  ...["names", "openapi", "operators", "payload-schemas", "posting-rules", "profile", "rate-limit-headers"],
  ...["refusal-order", "requests", "sign-up", "validation"],
  ...["approvals", "contacts", "held", "keys", "rate-limits", "votes"],
  ...["brief", "consent", "handles", "operator-reasons", "origin", "page-size"],
].map((name) => `test/rest/${name}.test.ts`);

/** What happens to a SQLite file. */
const SQLITE_ONLY = [
  ...[
    "clock-ahead",
    "clock-set-back",
    "damaged-json",
    "disk-full",
    "failing-disk",
    "lost-files",
    "power-cut",
  ],
  // On PostgreSQL, scale-out kills daemons and the server.
  ...["approval-crash", "audit-crash", "crash", "campaign"],
].map((name) => `test/faults/${name}.test.ts`);
/** Tests of packages. */
const PACKAGES = "**/node_modules/**";
const POSTGRES_ONLY = ["test/postgres/**/*.test.ts", "test/faults/scale-out.test.ts"];

/** Files that take longest. They run first, so that the end of a run does not wait for one of them. */
const LONGEST = [
  ...["faults/scale-out", "faults/campaign", "attacks/campaign", "cli/demo", "cli/up", "cli/init"],
  ...["attacks/sign-in-throttles", "cli/views/frame", "faults/lost-files", "fuzz/operations"],
  ...["cli/views/inbox", "readme", "cli/package", "faults/failing-disk", "rest/retention", "postgres/copy"],
  ...["cli/backup", "faults/clock-set-back", "sdk/retries", "daemon/stopping", "cli/dashboard-view"],
  ...["cli/hook", "bench/smoke", "cli/watch", "postgres/promoted-replica", "rest/operators", "cli/doctor"],
  ...["cli/hints", "attacks/schema-load", "attacks/slow-clients", "faults/clock-ahead"],
].map((name) => `/test/${name}.test.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = LONGEST.findIndex((name) => moduleId.endsWith(name));
      return index === -1 ? LONGEST.length : index;
    };
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => a.project.name.localeCompare(b.project.name) || rank(a) - rank(b));
  }
}

export default defineConfig({
  // The command loads React's production build.
  oxc: { jsx: { development: false } },
  test: {
    reporters: ["default", "./test/harness/summary-reporter.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // The default is one second, which a page with several requests may exceed on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    // Many tests wait, so that two processors serve three workers. With four, threads wait too long for
    // limits of 250 ms.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    globalSetup: ["./test/harness/up-to-date-build.ts", "./test/harness/temporary-files.ts"],
    setupFiles: ["./test/harness/end-with-vitest.ts"],
    // A worker loads what the files share once. What they share must not be changed by one of them.
    isolate: false,
    // Ink draws nothing in a CI. The command sets this variable, too, but a test may load Ink before it does.
    env: { CI: "false" },
    projects: [
      {
        extends: true,
        test: { name: "sqlite", include: ["test/**/*.test.ts"], exclude: [PACKAGES, ...POSTGRES_ONLY] },
      },
      {
        extends: true,
        test: {
          name: "postgres",
          include: [...ON_BOTH, ...POSTGRES_ONLY],
          exclude: [PACKAGES, ...SQLITE_ONLY, ...SQLITE_REST],
          env: { WIREROOM_TEST_ENGINE: "postgres" },
          globalSetup: ["test/harness/postgres-server.ts"],
        },
      },
    ],
  },
});
