import type { Command } from "commander";
import type { Check } from "../../../daemon/doctor/check.js";
import type { Flags } from "../../../daemon/settings.js";
import { Failure } from "../../failure.js";
import { withProgress } from "../../output/progress.js";
import { settingsOf } from "../../work/daemon/settings.js";
import { action } from "../action.js";
import { HEADINGS } from "../headings.js";
import { addSettings } from "./settings-flags.js";

/** `wireroom doctor`: what is wrong on this machine, and how to mend it. */
export function addDoctorCommand(program: Command): void {
  const command = program
    .command("doctor")
    .helpGroup(HEADINGS.daemon)
    .description("check everything that the daemon needs, and say how to mend what is wrong");
  addSettings(command)
    .addHelpText(
      "after",
      `
Checks Node, data folder, database, daemon, port, identity provider, mail server, clock and profiles. A running daemon
is not disturbed, and is checked with its own settings; otherwise give the flags that you give to wireroom up.
Exits with 0 where nothing fails (warnings do not count), with 1 otherwise.

Examples:
  $ wireroom doctor
  $ wireroom doctor --json | jq '.checks[] | select(.status != "ok")'`,
    )
    .action(
      action<Flags>(async (session, flags) => {
        const { output } = session;
        const settings = await settingsOf(flags, session.env);
        const [{ examine }, { showCheck }, { checkProfiles }] = await Promise.all([
          import("../../../daemon/doctor/index.js"),
          import("../../output/show/check.js"),
          import("../../profiles/check.js"),
        ]);
        const checks: Check[] = [];
        const found = (check: Check) => {
          checks.push(check);
          if (!output.json) showCheck(check, output);
        };
        await withProgress(session, async (progress) => {
          progress.say("checking …");
          for await (const check of examine(settings)) {
            progress.end();
            found(check);
            progress.say("checking …");
          }
        });
        found(await checkProfiles(session.env));
        const failed = checks.filter(({ status }) => status === "fail");
        output.result({ healthy: failed.length === 0, checks });
        if (failed.length > 0) {
          const names = failed.map(({ name }) => name).join(", ");
          throw new Failure("UNHEALTHY", `${failed.length} of ${checks.length} checks failed: ${names}`);
        }
      }),
    );
}
