/** Adds the plugin that runs `wireroom hook --wake` in OpenCode, or removes it. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Session } from "../../session.js";
import { configFile, type PlannedChange, planEdit } from "../mcp-hosts/change.js";
import { startedCommand } from "../mcp-hosts/connection.js";
import { HOSTS, type Machine } from "../mcp-hosts/hosts.js";
import { removalOf } from "../mcp-hosts/skill.js";

const HOST = HOSTS.find(({ id }) => id === "opencode")!;
/** https://opencode.ai/docs/plugins */
const FILE = join("plugins", "wireroom.js");

export function isOpenCodeInstalled(machine: Machine): boolean {
  return existsSync(HOST.folder(machine));
}

interface PluginRequest {
  project: string | undefined;
  action: "install" | "uninstall";
}

/** @param flags flags of `wireroom hook` */
export async function planPlugin(
  session: Session,
  { project, action }: PluginRequest,
  flags: readonly string[],
): Promise<PlannedChange> {
  const host = { ...HOST, projectFile: join(".opencode", FILE) };
  const machine = { platform: process.platform, env: session.env };
  const config = configFile(host, join(HOST.folder(machine), FILE), project);
  const isAdded = action === "install";
  const text = isAdded ? await pluginText(session, config.project !== undefined, flags) : "";
  const planned = await planEdit(session, host, config, {
    entry: isAdded ? {} : null,
    isPresent: (before) => before !== "",
    edit: () => text,
    next: isAdded ? "Restart OpenCode; wireroom hook status lists its sessions." : null,
  });
  return isAdded ? planned : removalOf(planned);
}

async function pluginText(session: Session, isShared: boolean, flags: readonly string[]): Promise<string> {
  const manifest = createRequire(import.meta.url).resolve("#package.json");
  const text = await readFile(join(dirname(manifest), "integrations/opencode/wireroom.js"), "utf8");
  const { command, args, env = {} } = await startedCommand(session, "hook", isShared);
  return text
    .replace(/^const COMMAND = .*$/m, () => constant("COMMAND", [command, ...args, ...flags, "--wake"]))
    .replace(/^const VARIABLES = .*$/m, () => constant("VARIABLES", env));
}

function constant(name: string, value: unknown): string {
  return `const ${name} = ${JSON.stringify(value)};`;
}
