/** Adds `wireroom hook` to the hooks of a host, and removes it. Other hooks stay. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../failure.js";
import { shellQuoted } from "../../output/shell-quote.js";
import type { Session } from "../../session.js";
import { configFile, type PlannedChange, withFile, writeChange } from "../mcp-hosts/change.js";
import { type ConfigFile, readConfig } from "../mcp-hosts/config-file.js";
import type { EntryPath } from "../mcp-hosts/config-text.js";
import { startedCommand } from "../mcp-hosts/connection.js";
import { changedLines } from "../mcp-hosts/diff.js";
import { jsonFormat, setList, withoutEmpty } from "../mcp-hosts/json-text.js";
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
  const { file } = config;
  const isShared = config.project !== undefined;
  const group = action === "install" ? { hooks: [host.handler(await commandLine(session, isShared))] } : null;
  const before = await readConfig(config);
  const after = withFile(file, () => edited(before, host, group));
  const isInstalled = withFile(file, () => host.events.some((event) => groupsOf(before, event).some(hasOwn)));
  return {
    host: host.id,
    title: host.title,
    file,
    action: after === before ? "none" : group === null ? "remove" : isInstalled ? "replace" : "add",
    entry: group,
    diff: changedLines(before, after),
    next: group === null ? null : host.next,
    write: () =>
      writeChange(session, {
        host: host.id,
        config,
        edit: (text) => withFile(file, () => edited(text, host, group)),
      }),
  };
}

/** Returns the text after the change. */
function edited(before: string, { events }: HookHost, group: HookGroup | null): string {
  let text = before;
  for (const event of events) {
    const present = groupsOf(text, event);
    if (group !== null || present.some(hasOwn)) text = setList(text, pathOf(event), changed(present, group));
  }
  return group === null && text !== before ? withoutEmpty(text, "hooks") : text;
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

function pathOf(event: string): EntryPath {
  return ["hooks", event];
}

function groupsOf(text: string, event: string): unknown[] {
  const groups = jsonFormat.read(text, pathOf(event));
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
  // The shells of Windows differ in how they quote a path, and all of them find the command on the PATH.
  if (process.platform === "win32") return ["wireroom", ...args.slice(args.indexOf("hook"))].join(" ");
  const variables = Object.entries(env).map(([name, value]) => `${name}=${shellQuoted(value)}`);
  return [...variables, ...[command, ...args].map(shellQuoted)].join(" ");
}
