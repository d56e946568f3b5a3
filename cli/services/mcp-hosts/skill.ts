/** Adds the skill, which tells a model how to use Wireroom, to the skills folders of hosts, or removes it. */
import { join, resolve } from "node:path";
import type { HostId } from "../../../src/mcp-hosts/entries.js";
import { Failure } from "../../failure.js";
import { readPackageFile } from "../../package-file.js";
import type { Session } from "../../session.js";
import { type ChangeRequest, type HostChange, type PlannedChange, planOwnFile } from "./change.js";
import { agentsFolder, claudeFolder, type Machine } from "./hosts.js";

/** A folder of the user or of a project that contains the folder `skills`. */
interface SkillsParent {
  user(machine: Machine): string;
  project: string;
}

const AGENTS: SkillsParent = { user: agentsFolder, project: ".agents" };
/** The hosts that document where they look for skills. */
const SKILLS_PARENTS: Partial<Record<HostId, SkillsParent>> = {
  "claude-code": { user: claudeFolder, project: ".claude" },
  cursor: AGENTS,
  vscode: AGENTS,
  "vscode-insiders": AGENTS,
  codex: AGENTS,
  gemini: AGENTS,
  copilot: AGENTS,
  opencode: AGENTS,
  kimi: AGENTS,
};

/** Plans the change of the skill for the hosts whose configuration the request changes. */
export async function planSkills(
  session: Session,
  { host: named, project, install }: ChangeRequest,
  hosts: readonly HostChange[],
): Promise<PlannedChange[]> {
  const machine = { platform: process.platform, env: session.env };
  const text = install ? await readPackageFile("integrations/skill/SKILL.md") : undefined;
  const changes = new Map<string, PlannedChange>();
  for (const { host, title } of hosts) {
    const parent = SKILLS_PARENTS[host];
    if (!parent) {
      if (named === undefined) continue;
      throw new Failure("USAGE", `${title} has no folder for skills; leave out --skill`);
    }
    const folder = project === undefined ? parent.user(machine) : resolve(project, parent.project);
    const file = join(folder, "skills/wireroom/SKILL.md");
    if (changes.has(file)) continue;
    const config = { file, project: project === undefined ? undefined : resolve(project) };
    changes.set(file, await planOwnFile(session, { id: host, title }, config, { text, next: null }));
  }
  return [...changes.values()];
}
