/** Adds the skill, which tells a model how to use Wireroom, to the skills folders of hosts, or removes it. */
import { readFile, rm, rmdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import type { HostId } from "../../../src/mcp-hosts/entries.js";
import { Failure } from "../../failure.js";
import type { Session } from "../../session.js";
import { type ChangeRequest, type HostChange, type PlannedChange, planEdit } from "./change.js";
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
  const text = install ? await readSkill() : "";
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
    const planned = await planEdit(
      session,
      { id: host, title },
      { file, project: project === undefined ? undefined : resolve(project) },
      {
        entry: install ? {} : null,
        isPresent: (before) => before !== "",
        edit: () => text,
        next: null,
      },
    );
    changes.set(file, install ? planned : removalOf(planned));
  }
  return [...changes.values()];
}

function readSkill(): Promise<string> {
  const manifest = createRequire(import.meta.url).resolve("#package.json");
  return readFile(join(dirname(manifest), "integrations/skill/SKILL.md"), "utf8");
}

/** Also deletes the emptied file, and its folder unless the user keeps something else there. */
export function removalOf(planned: PlannedChange): PlannedChange {
  return {
    ...planned,
    async write() {
      const backup = await planned.write();
      await rm(planned.file);
      await rmdir(dirname(planned.file)).catch(() => {});
      return backup;
    },
  };
}
