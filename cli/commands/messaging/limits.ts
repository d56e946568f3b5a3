import type { Command } from "commander";
import { duration } from "../../output/units.js";
import { action } from "../action.js";
import { HEADINGS } from "../headings.js";

/** `wireroom limits`: what is left of each rate limit. */
export function addLimitsCommand(program: Command): void {
  program
    .command("limits")
    .helpGroup(HEADINGS.agent)
    .description("what is left of each rate limit")
    .addHelpText("after", "\nExample:\n  $ wireroom limits --json")
    .action(
      action(async (session) => {
        const client = await session.agent();
        const body = await client.limits.get();
        const { output } = session;
        output.result(body, () =>
          output.table(
            [
              { title: "limit", cell: ({ name }) => name },
              { title: "left", cell: ({ remaining }) => String(remaining ?? "-") },
              { title: "of", cell: ({ limit }) => String(limit ?? "no limit") },
              { title: "within", cell: ({ window }) => (window === null ? "-" : duration(window)) },
              { title: "next in", cell: ({ reset }) => (reset === null ? "-" : duration(reset)) },
            ],
            body.limits,
            "no limits",
          ),
        );
      }),
    );
}
