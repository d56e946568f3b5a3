import type { Command } from "commander";
import type { Check } from "../../../daemon/doctor/check.js";
import type { Flags } from "../../../daemon/settings.js";
import { Failure } from "../../failure.js";
import { withProgress } from "../../output/progress.js";
import { readDaemonSettings } from "../../services/daemon/settings.js";
import { HEADINGS } from "../headings.js";
import { withSession } from "../with-session.js";
import { addSettingOptions } from "./settings-options.js";

export function add(program: Command): void {
  const command = program
    .command("doctor")
    .helpGroup(HEADINGS.daemon)
    .description("check everything the daemon needs and print how to fix problems");
  addSettingOptions(command)
    .addHelpText(
      "after",
      `
Checks Node, the data folder, the database, the daemon, the port, the identity provider, the mail server, the clock and
the profiles. If the daemon runs, its own settings are checked, and it is not disturbed. If it does not run, pass the
same flags as to wireroom up.

Exit code: 0 if no check fails (warnings do not count), otherwise 1.

Examples:
  $ wireroom doctor
  $ wireroom doctor --json | jq '.checks[] | select(.status != "ok")'`,
    )
    .action(
      withSession<Flags>(async (session, flags) => {
        const { output } = session;
        const settings = await readDaemonSettings(session, flags);
        const [{ runChecks }, { showCheck }, { checkProfiles }] = await Promise.all([
          import("../../../daemon/doctor/index.js"),
          import("../../output/show/check.js"),
          import("../../profiles/check.js"),
        ]);
        const checks: Check[] = [];
        const report = (check: Check) => {
          checks.push(check);
          if (!output.json) showCheck(check, output);
        };
        await withProgress(session, async (progress) => {
          progress.show("checking …");
          for await (const check of runChecks(settings)) {
            progress.clear();
            report(check);
            progress.show("checking …");
          }
        });
        report(await checkProfiles(session.env));
        const failed = checks.filter(({ status }) => status === "fail");
        output.result({ healthy: failed.length === 0, checks });
        if (failed.length > 0) {
          const names = failed.map(({ name }) => name).join(", ");
          throw new Failure("UNHEALTHY", `${failed.length} of ${checks.length} checks failed: ${names}`);
        }
      }),
    );
}
