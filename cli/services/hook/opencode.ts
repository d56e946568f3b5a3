/** Adds the plugin that runs `wireroom hook --wake` in OpenCode, or removes it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readPackageFile } from "../../package-file.js";
import type { Session } from "../../session.js";
import { configFile, type PlannedChange, planOwnFile } from "../mcp-hosts/change.js";
import { startedCommand } from "../mcp-hosts/connection.js";
import { HOSTS, type Machine } from "../mcp-hosts/hosts.js";

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
  if (action === "uninstall") return planOwnFile(session, host, config, { text: undefined, next: null });
  const text = await pluginText(session, config.project !== undefined, flags);
  const next = "Restart OpenCode; wireroom hook status lists its sessions.";
  return planOwnFile(session, host, config, { text, next });
}

async function pluginText(session: Session, isShared: boolean, flags: readonly string[]): Promise<string> {
  const text = await readPackageFile("integrations/opencode/wireroom.js");
  const { command, args, env = {} } = await startedCommand(session, "hook", isShared);
  return text
    .replace(/^const COMMAND = .*$/m, () => constant("COMMAND", [command, ...args, ...flags, "--wake"]))
    .replace(/^const VARIABLES = .*$/m, () => constant("VARIABLES", env));
}

function constant(name: string, value: unknown): string {
  return `const ${name} = ${JSON.stringify(value)};`;
}
