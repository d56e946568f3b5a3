/** Gives MCP hosts the tools of Wireroom and the hook, for `wireroom init`. */
import type { HostId } from "../../../src/mcp-hosts/entries.js";
import { Failure } from "../../failure.js";
import { oneLine } from "../../output/safe.js";
import { showChange } from "../../output/show/host-change.js";
import type { Session } from "../../session.js";
import { HOOK_NAME, planHooks } from "../hook/install.js";
import { installedHosts, type PlannedChange, planChanges } from "../mcp-hosts/change.js";

export interface HostFlags {
  host?: HostId[] | undefined;
  /** False for `--no-hosts`. */
  hosts?: boolean | undefined;
  yes?: boolean | undefined;
}

/** A field of `wireroom init --json`. */
export interface HostSetup {
  host: HostId;
  /** The files that were changed. */
  files: string[];
}

const ENTRY_NAME = "wireroom";

/** Asks about each host on this machine that lacks the entry or the hook, unless a flag gives the answer. */
export async function setUpHosts(session: Session, flags: HostFlags): Promise<HostSetup[]> {
  const { output, prompt } = session;
  if (flags.hosts === false) return [];
  const setups: HostSetup[] = [];
  for (const host of flags.host ?? installedHosts(session)) {
    const missing = await planHost(session, host).catch((error: unknown) => {
      if (flags.host !== undefined || !(error instanceof Failure)) throw error;
      output.warn(`warning: ${host} is left out: ${error.message}`);
      return [];
    });
    const [first] = missing;
    if (!first) {
      setups.push({ host, files: [] });
      continue;
    }
    const files = missing.map(({ file }) => oneLine(file));
    const isAgreed = flags.host !== undefined || flags.yes === true || prompt.isAvailable;
    if (!isAgreed) {
      output.note(`${first.title} is on this machine. To set it up: wireroom init --host ${host}`);
      continue;
    }
    if (flags.host === undefined) {
      const question = `Set up ${first.title}? This changes ${files.join(" and ")}.`;
      if (!(await prompt.offer(question))) continue;
    }
    for (const change of missing) await writeChange(session, change);
    setups.push({ host, files });
  }
  return setups;
}

/** Plans what the host lacks. Leaves an entry or hook as it is, even if it differs. */
async function planHost(session: Session, host: HostId): Promise<(PlannedChange & { what: string })[]> {
  // The bridge uses the sign-in of the profile, so the human need not sign in from the host.
  const install = { bridge: true };
  const entries = await planChanges(session, { host, name: ENTRY_NAME, project: undefined, install });
  const hooks = await planHooks(session, { host, project: undefined, action: "install" });
  return [
    ...entries.map((change) => ({ ...change, what: ENTRY_NAME })),
    ...hooks.map((change) => ({ ...change, what: HOOK_NAME })),
  ].filter(({ action }) => action === "add");
}

async function writeChange(
  { output }: Session,
  { write, what, diff: _, ...change }: PlannedChange & { what: string },
): Promise<void> {
  const backup = await write();
  output.note("");
  if (!output.json) showChange({ ...change, written: true, backup }, what, output);
}
