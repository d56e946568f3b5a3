import { defineConfig } from "vitest/config";

/** With `npm run test:full` everything that goes through a daemon runs on both engines, which takes twice as long. */
const IS_FULL = process.env.WIREROOM_TEST_FULL === "1";

const ON_BOTH = ["rest", "mcp", "faults"].map((folder) => `test/${folder}/**/*.test.ts`);
/** Of these, what rests on the engine most: races, searches, what one transaction holds together. */
const OF_THE_ENGINE = [
  ...["approval-races", "export", "idempotency", "inbox-races", "knocks", "retirement", "space-search"],
  ...["switchboard", "wires"],
].map((name) => `test/rest/${name}.test.ts`);

/** What happens to a SQLite file. */
const SQLITE_ONLY = ["test/faults/disk-full.test.ts"];
const POSTGRES_ONLY = ["test/postgres/**/*.test.ts", "test/faults/scale-out.test.ts"];
/** Minutes long. */
const FULL_ONLY = ["test/postgres/copy.test.ts", "test/faults/scale-out.test.ts"];

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
          include: [...(IS_FULL ? ON_BOTH : OF_THE_ENGINE), ...POSTGRES_ONLY],
          exclude: [...SQLITE_ONLY, ...(IS_FULL ? [] : FULL_ONLY)],
          env: { WIREROOM_TEST_ENGINE: "postgres" },
          globalSetup: ["test/harness/postgres-server.ts"],
        },
      },
    ],
  },
});
