import { defineConfig } from "vitest/config";

/**
 * With `npm run test:full` everything runs, and what goes through a daemon runs on both engines. `npm test` leaves out what
 * takes longest: each command and each daemon that a test starts loads hundreds of modules.
 */
const IS_FULL = process.env.WIREROOM_TEST_FULL === "1";

const ON_BOTH = ["rest", "mcp", "faults"].map((folder) => `test/${folder}/**/*.test.ts`);

/** What happens to a SQLite file. */
const SQLITE_ONLY = ["test/faults/disk-full.test.ts"];
const POSTGRES_ONLY = ["test/postgres/**/*.test.ts", "test/faults/scale-out.test.ts"];
const FULL_ONLY = IS_FULL
  ? []
  : [
      ...["postgres/copy", "faults/scale-out", "bench/smoke"],
      ...["agent-errors", "backup", "control-account", "doctor", "external-provider", "handles-and-keys"].map(
        ofCli,
      ),
      ...["inbox-view", "profiles", "sign-in", "tokens", "up", "view-kit"].map(ofCli),
    ].map((name) => `test/${name}.test.ts`);

function ofCli(name: string): string {
  return `cli/${name}`;
}

export default defineConfig({
  test: {
    reporters: ["default", "./test/harness/closing-line.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        test: { name: "sqlite", include: ["test/**/*.test.ts"], exclude: [...POSTGRES_ONLY, ...FULL_ONLY] },
      },
      {
        extends: true,
        test: {
          name: "postgres",
          include: [...(IS_FULL ? ON_BOTH : []), ...POSTGRES_ONLY],
          exclude: [...SQLITE_ONLY, ...FULL_ONLY],
          env: { WIREROOM_TEST_ENGINE: "postgres" },
          globalSetup: ["test/harness/postgres-server.ts"],
        },
      },
    ],
  },
});
