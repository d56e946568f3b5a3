import { defineConfig } from "vitest/config";

/** With `npm run test:full` everything runs. `npm test` leaves out of the CLI's tests those that start a command for each step. */
const IS_FULL = process.env.WIREROOM_TEST_FULL === "1";
const LONG_OF_CLI = [
  ...["agent-errors", "agent-follow", "agent-plain", "backup", "call", "control-account", "doctor"],
  ...["external-provider", "handles-and-keys", "inbox-view", "profiles", "sign-in", "sign-up", "tokens"],
  ...["up", "view-kit"],
].map((name) => `test/cli/${name}.test.ts`);
const FULL_ONLY = IS_FULL ? [] : [...LONG_OF_CLI, "test/bench/smoke.test.ts"];

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
        test: { name: "sqlite", include: ["test/**/*.test.ts"], exclude: [...POSTGRES_ONLY, ...FULL_ONLY] },
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
