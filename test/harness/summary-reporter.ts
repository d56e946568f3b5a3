import type { Reporter, TestCase, TestModule } from "vitest/node";

/**
 * Prints the end of a run: the tests that passed only when they were repeated (`--retry`), with their first
 * error, and one line with the numbers of passed, failed and skipped tests.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0 };
    const flaky: TestCase[] = [];
    for (const module of modules) {
      const failedBefore = counts.failed;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state !== "pending") counts[state]++;
        if (test.diagnostic()?.flaky) flaky.push(test);
      }
      // A failure in a beforeAll or afterAll hook belongs to no test.
      if (!module.ok() && counts.failed === failedBefore) counts.failed++;
    }
    if (flaky.length > 0)
      process.stdout.write(`\nFlaky, passed when repeated:\n${flaky.map(lineOf).join("")}`);
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
    process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed${skipped}\n`);
  }
}

/** Returns a flaky test and its first error. */
function lineOf(test: TestCase): string {
  const [error] = test.result().errors ?? [];
  return `  ${test.project.name} ${test.module.relativeModuleId} > ${test.fullName}\n    ${error?.message}\n`;
}
