import { type TestOptions, it as test } from "vitest";

/**
 * Returns a function like `it`, for tests that continue each other, such as the steps of one human on one
 * page. A test first runs those before it that have not run, so it also passes alone (`-t`) and in any order.
 *
 * @example
 * ```ts
 * const it = story();
 * it("creates a space", async () => { … });
 * it("posts to it", async () => { … });
 * ```
 */
export function story(): (name: string, ...rest: [TestOptions, Run] | [Run]) => void {
  const steps: Step[] = [];
  return (name, ...rest) => {
    const run = rest.at(-1) as Run;
    const step: Step = { run, state: "new" };
    const index = steps.push(step) - 1;
    test(name, rest.length === 2 ? rest[0] : {}, async () => {
      for (const earlier of steps.slice(0, index)) if (earlier.state === "new") await perform(earlier);
      if (step.state !== "passed") await perform(step);
    });
  };
}

type Run = () => unknown;

interface Step {
  run: Run;
  state: "new" | "failed" | "passed";
}

async function perform(step: Step): Promise<void> {
  step.state = "failed";
  await step.run();
  step.state = "passed";
}
