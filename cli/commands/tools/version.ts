import type { Command } from "commander";
import { HEADINGS } from "../headings.js";
import { withSession } from "../with-session.js";

export function add(program: Command): void {
  program
    .command("version")
    .helpGroup(HEADINGS.more)
    .description("show the versions of this command and of the daemon")
    .addHelpText(
      "after",
      `
The version of a daemon on another machine is unknown; the version of its API is shown. wireroom --version prints only the
version of this command.

Example:
  $ wireroom version --json`,
    )
    .action(
      withSession(async (session) => {
        const { readVersions } = await import("../../services/daemon/versions.js");
        const versions = await readVersions(session);
        const { version, node, daemon } = versions;
        const { output } = session;
        output.result(versions, () =>
          output.fields([
            ["wireroom", version],
            ["node", node],
            ["daemon", daemon === null ? "no daemon answers" : (daemon.version ?? undefined)],
            ["api", daemon?.api_version],
            ["url", daemon?.url],
          ]),
        );
      }),
    );
}
