/** Vitest's setup of a run: builds what has changed, because tests run the built command. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

const READY = join(import.meta.dirname, "../../scripts/ready.mjs");
/** The environment variable of a run whose first project has built everything. */
const BUILT = "WIREROOM_TEST_BUILT";

/** Runs once for each project of `vitest.config.ts`, and in watch mode again before each rerun. */
export default function setUp(project: TestProject): void {
  if (process.env[BUILT] === undefined) build();
  process.env[BUILT] = "true";
  project.onTestsRerun(async () => build());
}

function build(): void {
  const { status } = spawnSync(process.execPath, [READY], { stdio: ["ignore", 2, 2] });
  if (status !== 0) throw new Error("the build failed; its errors are above");
}
