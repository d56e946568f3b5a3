import { defineConfig } from "vitest/config";

/** What goes through a daemon runs on both engines. */
const ON_BOTH = ["rest", "mcp", "faults"].map((folder) => `test/${folder}/**/*.test.ts`);

/** What happens to a SQLite file. */
const SQLITE_ONLY = ["test/faults/disk-full.test.ts"];
const POSTGRES_ONLY = ["test/postgres/**/*.test.ts", "test/faults/scale-out.test.ts"];

export default defineConfig({
  test: {
    reporters: ["default", "./test/harness/closing-line.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 3,
    // A worker loads what the files share once. What they share must not be changed by one of them.
    isolate: false,
    projects: [
      {
        extends: true,
        test: { name: "sqlite", include: ["test/**/*.test.ts"], exclude: POSTGRES_ONLY },
      },
      {
        extends: true,
        test: {
          name: "postgres",
          include: [...ON_BOTH, ...POSTGRES_ONLY],
          exclude: SQLITE_ONLY,
          env: { WIREROOM_TEST_ENGINE: "postgres" },
          globalSetup: ["test/harness/postgres-server.ts"],
        },
      },
    ],
  },
});
