import type { Reporter, TestModule } from "vitest/node";

/** Prints one line at the end of a run: the numbers of passed, failed and skipped tests. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      const failedBefore = counts.failed;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state !== "pending") counts[state]++;
      }
      // A failure in a beforeAll or afterAll hook belongs to no test.
      if (!module.ok() && counts.failed === failedBefore) counts.failed++;
    }
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
    process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed${skipped}\n`);
  }
}
