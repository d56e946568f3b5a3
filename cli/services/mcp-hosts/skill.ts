/** Adds or removes the skill, which tells a model how to use Wireroom, in hosts' skills folders. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { HostId } from "../../../src/mcp-hosts/entries.js";
import { Failure } from "../../failure.js";
import { oneLine } from "../../output/safe.js";
import { readPackageFile } from "../../package-file.js";
import type { Session } from "../../session.js";
import {
  type ChangeRequest,
  type HostChange,
  hostFiles,
  type PlannedChange,
  planOwnFile,
  readEntry,
} from "./change.js";
import { agentsFolder, claudeFolder } from "./hosts.js";

/** The hosts that do not document where they look for skills. */
const WITHOUT_SKILLS: readonly HostId[] = ["claude-desktop", "windsurf", "zed"];

/**
 * Plans the change of the skill for the hosts whose configuration the request changes. Does not remove a
 * skill that another host with the entry also reads.
 */
export async function planSkills(
  session: Session,
  request: ChangeRequest,
  hosts: readonly HostChange[],
): Promise<PlannedChange[]> {
  const project = request.project === undefined ? undefined : resolve(request.project);
  const text = request.install ? await readPackageFile("integrations/skill/SKILL.md") : undefined;
  const changes = new Map<string, PlannedChange>();
  for (const { host, title } of hosts) {
    const file = skillFile(session, host, project);
    if (file === undefined) {
      if (request.host === undefined) continue;
      throw new Failure("USAGE", `${title} has no folder for skills; leave out --skill`);
    }
    if (changes.has(file)) continue;
    const users =
      text === undefined && existsSync(file) ? await otherUsers(session, request, hosts, file) : [];
    if (users.length > 0) session.output.warn(`The skill stays for ${users.join(" and ")}: ${oneLine(file)}`);
    else
      changes.set(
        file,
        await planOwnFile(session, { id: host, title }, { file, project }, { text, next: null }),
      );
  }
  return [...changes.values()];
}

function skillFile({ env }: Session, host: HostId, project: string | undefined): string | undefined {
  if (WITHOUT_SKILLS.includes(host)) return undefined;
  const [userFolder, name] = host === "claude-code" ? [claudeFolder, ".claude"] : [agentsFolder, ".agents"];
  const folder =
    project === undefined ? userFolder({ platform: process.platform, env }) : join(project, name);
  return join(folder, "skills/wireroom/SKILL.md");
}

/** Returns the titles of the other hosts that read the skill and have the entry. */
async function otherUsers(
  session: Session,
  { name, project }: ChangeRequest,
  changed: readonly HostChange[],
  file: string,
): Promise<string[]> {
  const others = hostFiles(session, { project }).filter(
    ({ host: { id }, config }) =>
      changed.every((change) => change.file !== config.file) &&
      skillFile(session, id, project && resolve(project)) === file,
  );
  // A host whose configuration cannot be read may have the entry.
  const entries = await Promise.all(others.map((other) => readEntry(other, name).catch(() => "unknown")));
  return others.flatMap(({ host }, index) => (entries[index] === undefined ? [] : [host.title]));
}
