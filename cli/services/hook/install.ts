/** Adds `wireroom hook` to the hooks of a host, and removes it. Other hooks stay. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../failure.js";
import { shellQuoted } from "../../output/shell-quote.js";
import type { Session } from "../../session.js";
import { configFile, type PlannedChange, withFile, writeChange } from "../mcp-hosts/change.js";
import { readConfig } from "../mcp-hosts/config-file.js";
import type { EntryPath } from "../mcp-hosts/config-text.js";
import { startedCommand } from "../mcp-hosts/connection.js";
import { changedLines } from "../mcp-hosts/diff.js";
import { jsonFormat, setList } from "../mcp-hosts/json-text.js";
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
  hooks: readonly Record<string, unknown>[];
}

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
    const file = configFile(host, join(host.folder(machine), host.file), request.project);
    planned.push(await planChange(session, host, file, request));
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
  file: string,
  { project, action }: HookChangeRequest,
): Promise<PlannedChange> {
  const isShared = project !== undefined;
  const group = action === "install" ? { hooks: [host.handler(await commandLine(session, isShared))] } : null;
  const before = await readConfig(file);
  const after = withFile(file, () => edited(before, host, group));
  const isInstalled = withFile(file, () => host.events.some((event) => groupsOf(before, event).some(isOwn)));
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
        file,
        edit: (text) => withFile(file, () => edited(text, host, group)),
        isShared,
      }),
  };
}

/** Returns the text after the change. */
function edited(before: string, { events }: HookHost, group: HookGroup | null): string {
  let text = before;
  for (const event of events) {
    const present = groupsOf(text, event);
    const others = present.filter((each) => !isOwn(each));
    const isChanged = group !== null || others.length < present.length;
    if (isChanged) text = setList(text, pathOf(event), group === null ? others : [...others, group]);
  }
  return text;
}

function pathOf(event: string): EntryPath {
  return ["hooks", event];
}

function groupsOf(text: string, event: string): unknown[] {
  const groups = jsonFormat.read(text, pathOf(event));
  return Array.isArray(groups) ? groups : [];
}

/** True for a group that this command has added, also from another folder or with other flags. */
function isOwn(group: unknown): boolean {
  const { hooks } = (group ?? {}) as Partial<HookGroup>;
  return (
    Array.isArray(hooks) &&
    hooks.length > 0 &&
    hooks.every(({ command }) => /(?:\bwireroom|[\\/]cli[\\/]main\.js)['"]?\s+hook\b/.test(String(command)))
  );
}

/** Returns the command for the shell of the host. */
async function commandLine(session: Session, isShared: boolean): Promise<string> {
  const { command, args, env = {} } = await startedCommand(session, "hook", isShared);
  // The shells of Windows differ in how they quote a path, and all of them find the command on the PATH.
  if (process.platform === "win32") return ["wireroom", ...args.slice(args.indexOf("hook"))].join(" ");
  const variables = Object.entries(env).map(([name, value]) => `${name}=${shellQuoted(value)}`);
  return [...variables, ...[command, ...args].map(shellQuoted)].join(" ");
}
