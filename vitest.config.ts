import { defineConfig } from "vitest/config";

/** With `npm run test:full` everything that goes through a daemon runs on both engines, which takes twice as long. */
const IS_FULL = process.env.WIREROOM_TEST_FULL === "1";

/** What rests on the engine most: orders and cursors, races, searches, what one transaction holds together. */
const OF_THE_ENGINE = [
  ...[
    "approval-races",
    "audit",
    "export",
    "feed",
    "held",
    "idempotency",
    "inbox",
    "inbox-races",
    "inbox-wait",
  ],
  ...["keys", "knocks", "members", "mod-removal", "retirement", "schemas", "space-search", "switchboard"],
  ...["threads", "tombstones", "votes", "wires"],
].map((name) => `test/rest/${name}.test.ts`);

const ON_BOTH = IS_FULL ? ["test/rest/**/*.test.ts", "test/mcp/**/*.test.ts"] : OF_THE_ENGINE;
/** What happens to a SQLite file. */
const SQLITE_ONLY = ["test/faults/disk-full.test.ts"];
const POSTGRES_ONLY = ["test/postgres/**/*.test.ts", "test/faults/scale-out.test.ts"];
/** Minutes long. */
const FULL_ONLY = IS_FULL ? [] : ["test/postgres/copy.test.ts"];

export default defineConfig({
  test: {
    reporters: ["default", "./test/harness/closing-line.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        test: { name: "sqlite", include: ["test/**/*.test.ts"], exclude: POSTGRES_ONLY },
      },
      {
        extends: true,
        test: {
          name: "postgres",
          include: [...ON_BOTH, "test/faults/**/*.test.ts", ...POSTGRES_ONLY],
          exclude: [...SQLITE_ONLY, ...FULL_ONLY],
          env: { WIREROOM_TEST_ENGINE: "postgres" },
          globalSetup: ["test/harness/postgres-server.ts"],
        },
      },
    ],
  },
});
