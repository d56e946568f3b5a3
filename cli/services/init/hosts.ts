/** Sets up MCP hosts for `wireroom init`: adds Wireroom's tools, the hook and the skill. */
import type { HostId } from "../../../src/mcp-hosts/entries.js";
import { Failure } from "../../failure.js";
import { oneLine } from "../../output/safe.js";
import type { Session } from "../../session.js";
import { planHooks } from "../hook/install.js";
import { hostFiles, type PlannedChange, planChanges } from "../mcp-hosts/change.js";
import { showChange } from "../mcp-hosts/run.js";
import { planSkills } from "../mcp-hosts/skill.js";

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

/** The parts that a host can get, each with its name in messages and its effect. */
const PARTS = {
  entry: ["wireroom", "tools  with which the model reads and sends wires"],
  hook: ["wireroom hook", "hook   that tells the model at each turn what is new"],
  skill: ["the skill", "skill  that tells the model how to use the tools"],
} as const;

interface PlannedPart extends PlannedChange {
  part: keyof typeof PARTS;
}

interface HostsResult {
  setups: HostSetup[];
  /** True if the human refused to set up a host on this machine, or could not be asked. */
  hasRefused: boolean;
}

/** Asks about each host on this machine that lacks a part, unless a flag gives the answer. */
export async function setUpHosts(session: Session, flags: HostFlags): Promise<HostsResult> {
  const { output, prompt } = session;
  const result: HostsResult = { setups: [], hasRefused: false };
  if (flags.hosts === false) return result;
  let isAgreed = flags.host !== undefined || flags.yes === true;
  for (const host of flags.host ?? hostFiles(session, {}).map(({ host }) => host.id)) {
    const missing = await planHost(session, host).catch((error: unknown) => {
      if (flags.host !== undefined || !(error instanceof Failure)) throw error;
      output.warn(`warning: ${host} is left out: ${error.message}`);
      return [];
    });
    const [first] = missing;
    if (first && !isAgreed) {
      const answer = prompt.isAvailable ? await offer(session, missing) : "no";
      if (!prompt.isAvailable)
        output.note(`${first.title} is on this machine. To set it up: wireroom init --host ${host}`);
      if (answer === "no" || answer === "quit") result.hasRefused = true;
      if (answer === "quit") break;
      if (answer === "no") continue;
      isAgreed = answer === "all";
    }
    for (const change of missing) await writeChange(session, change);
    result.setups.push({ host, files: [...new Set(missing.map(({ file }) => oneLine(file)))] });
  }
  return result;
}

function offer({ output, prompt }: Session, missing: readonly PlannedPart[]) {
  const { title } = missing[0]!;
  output.note(`\n${title} is on this machine. It can get:`);
  for (const { part, file } of missing) output.note(`  ${PARTS[part][1]}: ${oneLine(file)}`);
  return prompt.offer(`Set up ${title}?`);
}

/** Plans the parts that the host lacks. Does not change an existing part, even if it differs. */
async function planHost(session: Session, host: HostId): Promise<PlannedPart[]> {
  // Use the bridge, which issues a key with the profile's sign-in, so that the human need not sign in from
  // the host.
  const request = { host, name: "wireroom", project: undefined, install: { bridge: true } };
  const entries = await planChanges(session, request);
  const hooks = await planHooks(session, { host, project: undefined, action: "install" });
  const skills = await planSkills(session, { ...request, host: undefined }, entries);
  const of = (part: PlannedPart["part"], changes: readonly PlannedChange[]) =>
    changes.filter(({ action }) => action === "add").map((change) => ({ ...change, part }));
  return [...of("entry", entries), ...of("hook", hooks), ...of("skill", skills)];
}

async function writeChange(
  { output }: Session,
  { write, part, diff: _, ...change }: PlannedPart,
): Promise<void> {
  const backup = await write();
  if (!output.json) showChange({ ...change, written: true, backup }, PARTS[part][0], output);
}
