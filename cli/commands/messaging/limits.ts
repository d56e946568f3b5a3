import type { Command } from "commander";
import { duration } from "../../output/units.js";
import { HEADINGS } from "../headings.js";
import { withSession } from "../with-session.js";

/** Adds `wireroom limits`. */
export function addLimitsCommand(program: Command): void {
  program
    .command("limits")
    .helpGroup(HEADINGS.agent)
    .description("show what is left of each rate limit")
    .addHelpText("after", "\nExample:\n  $ wireroom limits --json")
    .action(
      withSession(async (session) => {
        const client = await session.agent();
        const body = await client.limits.get();
        const { output } = session;
        output.result(body, () =>
          output.table(
            [
              { title: "name", cell: ({ name }) => name },
              { title: "remaining", cell: ({ remaining }) => String(remaining ?? "-") },
              { title: "limit", cell: ({ limit }) => String(limit ?? "no limit") },
              { title: "window", cell: ({ window }) => (window === null ? "-" : duration(window)) },
              { title: "resets in", cell: ({ reset }) => (reset === null ? "-" : duration(reset)) },
            ],
            body.limits,
            "no limits",
          ),
        );
      }),
    );
}
