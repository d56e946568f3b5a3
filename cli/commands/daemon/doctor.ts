import type { Check } from "../../../daemon/doctor/check.js";
import type { Flags } from "../../../daemon/settings.js";
import { Failure } from "../../failure.js";
import { withContext } from "../../output/hint-context.js";
import type { Output } from "../../output/output.js";
import { withProgress } from "../../output/progress.js";
import { oneLine } from "../../output/safe.js";
import { startCommand } from "../../services/daemon/running.js";
import { dataDirFlag, readDaemonSettings } from "../../services/daemon/settings.js";
import { command } from "../command.js";
import { addSettingOptions } from "./settings-options.js";

export const add = command<Flags>({
  name: "doctor",
  description: "check everything the daemon needs and print how to fix problems",
  options: (command) => addSettingOptions(command),
  help: `\
Checks Node, the settings, the data folder, the database, the daemon, its public URL, the port, the identity provider,
the mail server, the clock and the profiles. If the daemon runs, its own settings are checked, those of yours that
differ are named, and it is not disturbed. If it does not run, the settings are those with which wireroom up and the
same flags would start it.

Exit code: 0 if no check fails (warnings do not count), otherwise 1.`,
  examples: ["wireroom doctor", `wireroom doctor --json | jq '.checks[] | select(.status != "ok")'`],
  run: async (session, flags) => {
    const { output } = session;
    const { settings, missing } = await readDaemonSettings(session, flags);
    const requested = { settings, flags, env: session.env, missing };
    const start = await startCommand(session, flags);
    const [{ runChecks }, { checkProfiles }] = await Promise.all([
      import("../../../daemon/doctor/index.js"),
      import("../../profiles/check.js"),
    ]);
    const checks: Check[] = [];
    const report = ({ mend, ...rest }: Check) => {
      const check = mend === undefined ? rest : { ...rest, mend: withContext(mend, session.flags) };
      checks.push(check);
      if (!output.json) showCheck(check, output);
    };
    await withProgress(session, async (progress) => {
      // Show no progress in a pipe, because it would mix with the reader's output on the terminal.
      const showProgress = () => output.isTerminal && progress.show("checking …");
      showProgress();
      for await (const check of runChecks(requested, start, dataDirFlag(flags))) {
        progress.clear();
        report(check);
        showProgress();
      }
    });
    report(await checkProfiles(session.env));
    const failed = checks.filter(({ status }) => status === "fail");
    output.result({ healthy: failed.length === 0, checks });
    if (failed.length > 0) {
      const names = failed.map(({ name }) => name).join(", ");
      throw new Failure("UNHEALTHY", `${failed.length} of ${checks.length} checks failed: ${names}`);
    }
  },
});

const COLOURS = { ok: "green", warn: "yellow", fail: "red" } as const;
const NAME_WIDTH = "data folder".length;

function showCheck({ name, status, message, mend }: Check, output: Output): void {
  if (!output.isTerminal) {
    output.line([status, name, oneLine(message), ...(mend ? [oneLine(mend)] : [])].join("\t"));
    return;
  }
  output.line(
    `${output.paint(COLOURS[status], status.padEnd(4))}  ${name.padEnd(NAME_WIDTH)}  ${oneLine(message)}`,
  );
  if (mend) output.line(`${" ".repeat(NAME_WIDTH + 8)}${output.paint("dim", "→")} ${oneLine(mend)}`);
}
