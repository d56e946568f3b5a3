/** Adds `wireroom hook` to the hooks of a host, and removes it. Other hooks stay. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../failure.js";
import { shellQuoted } from "../../output/shell-quote.js";
import type { Session } from "../../session.js";
import { configFile, type PlannedChange, planEdit } from "../mcp-hosts/change.js";
import type { ConfigFile } from "../mcp-hosts/config-file.js";
import { entryIn, withList } from "../mcp-hosts/config-text.js";
import { startedCommand } from "../mcp-hosts/connection.js";
import { applyChanges } from "../mcp-hosts/run.js";
import { HOOK_HOSTS, type HookHost, type HookHostId } from "./hosts.js";

export interface HookChangeRequest {
  /** Undefined for all hosts on this machine. */
  host: HookHostId | undefined;
  /** Folder of a project. Undefined for the configuration of the user. */
  project: string | undefined;
  action: "install" | "uninstall";
}

/** A list element of an event, in the form that all hosts share. */
interface HookGroup {
  hooks: readonly Handler[];
}

type Handler = Record<string, unknown>;

/**
 * Implements `wireroom hook install` and `uninstall`.
 * @param print show the changes without writing them
 */
export async function changeHooks(
  session: Session,
  request: HookChangeRequest,
  print: boolean,
): Promise<void> {
  const machine = { platform: process.platform, env: session.env };
  const hosts = HOOK_HOSTS.filter((host) =>
    request.host === undefined ? existsSync(host.folder(machine)) : host.id === request.host,
  );
  if (hosts.length === 0)
    throw new Failure("NOT_FOUND", "found none of the hosts that this command knows", [
      `Name one of them: ${HOOK_HOSTS.map(({ id }) => id).join(", ")}`,
    ]);
  const planned: PlannedChange[] = [];
  for (const host of hosts) {
    const config = configFile(host, join(host.folder(machine), host.file), request.project);
    planned.push(await planChange(session, host, config, request));
  }
  await applyChanges(session, planned, {
    name: "wireroom hook",
    print,
    asks: request.host === undefined,
  });
}

async function planChange(
  session: Session,
  host: HookHost,
  config: ConfigFile,
  { action }: HookChangeRequest,
): Promise<PlannedChange> {
  const isShared = config.project !== undefined;
  const group = action === "install" ? { hooks: [host.handler(await commandLine(session, isShared))] } : null;
  return planEdit(session, host, config, {
    entry: group,
    isPresent: (text) => host.events.some((event) => groupsOf(text, event).some(hasOwn)),
    edit: (text) =>
      host.events.reduce((edited, event) => {
        const groups = groupsOf(edited, event);
        // A list that is not in the form of the host stays as it is, unless the hook is added.
        return group === null && !groups.some(hasOwn)
          ? edited
          : withList(edited, ["hooks", event], changed(groups, group));
      }, text),
    next: group === null ? null : host.next,
  });
}

/**
 * Returns the groups with this one instead of the handlers of this command. The first of them is replaced
 * where it is.
 */
function changed(groups: readonly unknown[], added: HookGroup | null): unknown[] {
  const left = [...(added?.hooks ?? [])];
  const kept = groups.flatMap((group) => {
    if (!hasOwn(group)) return [group];
    const hooks = handlersOf(group).flatMap((each) => (isOwn(each) ? left.splice(0) : [each]));
    const isLeft = hooks.length > 0 || Object.keys(group as HookGroup).length > 1;
    return isLeft ? [{ ...(group as HookGroup), hooks }] : [];
  });
  return left.length > 0 ? [...kept, added] : kept;
}

function groupsOf(text: string, event: string): unknown[] {
  const groups = entryIn(text, "json", ["hooks", event]);
  return Array.isArray(groups) ? groups : [];
}

function handlersOf(group: unknown): readonly unknown[] {
  const { hooks } = (group ?? {}) as Partial<HookGroup>;
  return Array.isArray(hooks) ? hooks : [];
}

function hasOwn(group: unknown): boolean {
  return handlersOf(group).some(isOwn);
}

/**
 * A word as `shellQuoted` writes it, or without quotes as on Windows. It contains nothing that a shell runs.
 */
const WORD = String.raw`(?:[^\s'"&|;<>()$\\\x60]+|'[^']*'(?:\\''[^']*')*)`;
/** A command as {@link commandLine} returns it, and the flags that a user may add. */
const OWN_COMMAND = new RegExp(
  `^(?:WIREROOM_CONFIG_DIR=${WORD} )?(?:wireroom|${WORD}(?<=/node[^/ ]*) ${WORD}(?<=/cli/main\\.js'?)) hook(?: --text| --(?:profile|as|url|session) ${WORD})*$`,
);

/** True for a handler that this command has added, also from another folder or with other flags. */
function isOwn(handler: unknown): boolean {
  const { command } = (handler ?? {}) as Handler;
  return typeof command === "string" && OWN_COMMAND.test(command);
}

/** Returns the command for the shell of the host. */
async function commandLine(session: Session, isShared: boolean): Promise<string> {
  const { command, args, env = {} } = await startedCommand(session, "hook", isShared);
  // Windows shells quote paths differently, so the command has no path: each shell finds it on the PATH.
  if (process.platform === "win32") return ["wireroom", ...args.slice(args.indexOf("hook"))].join(" ");
  const variables = Object.entries(env).map(([name, value]) => `${name}=${shellQuoted(value)}`);
  return [...variables, ...[command, ...args].map(shellQuoted)].join(" ");
}
