/** Adds the MCP endpoint to MCP hosts' configurations, or removes it. */
import { existsSync } from "node:fs";
import { rm, rmdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { HostId } from "../../../src/mcp-hosts/entries.js";
import { Failure } from "../../failure.js";
import { configFolder } from "../../profiles/folder.js";
import type { Session } from "../../session.js";
import { type ConfigFile, changeConfig, readConfig } from "./config-file.js";
import { type EntryPath, entryIn, UnusableConfig, withEntry } from "./config-text.js";
import { connectionFor } from "./connection.js";
import { HOSTS, type Host } from "./hosts.js";

export interface ChangeRequest {
  /** Undefined for all hosts on this machine. */
  host: HostId | undefined;
  /** Name of the entry. */
  name: string;
  /** Undefined for the user's configuration. */
  project: string | undefined;
  /** Undefined to remove the entry. */
  install: { bridge: boolean } | undefined;
}

/** `host` and `file` are also fields in `wireroom mcp install --json`. */
export interface HostChange {
  host: HostId;
  title: string;
  file: string;
  action: "add" | "replace" | "remove" | "none";
  entry: Record<string, unknown> | null;
  diff: string[];
  next: string | null;
}

export interface PlannedChange extends HostChange {
  /** Returns the backup's path, or null if the file did not exist. */
  write(): Promise<string | null>;
}

export interface WrittenChange extends Omit<HostChange, "diff"> {
  written: boolean;
  backup: string | null;
}

export async function planChanges(session: Session, request: ChangeRequest): Promise<PlannedChange[]> {
  const changes = new Map<string, PlannedChange>();
  let left: Failure | undefined;
  for (const { host, config } of hostFiles(session, request)) {
    // Plan each file once, because VS Code and VS Code Insiders share a project's file.
    if (changes.has(config.file)) continue;
    try {
      changes.set(config.file, await planChange(session, host, config, request));
    } catch (error) {
      // Skip a host that lacks credentials, unless the user named it. Other hosts can sign in themselves.
      const isOptional = request.host === undefined && !request.install?.bridge && host.signIn === undefined;
      if (!isOptional || !(error instanceof Failure) || error.code !== "NO_CREDENTIALS") throw error;
      left ??= error;
      session.output.warn(`${host.title} is left out: ${error.message}`);
    }
  }
  if (changes.size > 0) return [...changes.values()];
  if (left) throw left;
  throw new Failure("NOT_FOUND", "found none of the MCP hosts that this command knows", [
    `Name one of them: ${HOSTS.map(({ id }) => id).join(", ")}`,
  ]);
}

export interface HostFile {
  host: Host;
  config: ConfigFile;
}

/** Returns the named host, or the hosts on this machine, each with its configuration. */
export function hostFiles(
  { env }: Session,
  { host: named, project }: Partial<Pick<ChangeRequest, "host" | "project">>,
): HostFile[] {
  const machine = { platform: process.platform, env };
  const hosts = HOSTS.filter((host) =>
    named === undefined
      ? [host.folder(machine), host.userFile(machine)].some(existsSync) &&
        (project === undefined || host.projectFile !== undefined)
      : host.id === named,
  );
  return hosts.map((host) => ({ host, config: configFile(host, host.userFile(machine), project) }));
}

export async function readEntry({ host, config }: HostFile, name: string): Promise<unknown> {
  return entryIn(await readConfig(config), host.format, [host.section, name]);
}

export function configFile(
  host: Pick<Host, "title" | "projectFile">,
  userFile: string,
  project: string | undefined,
): ConfigFile {
  if (project === undefined) return { file: userFile, project };
  if (!existsSync(project)) throw new Failure("USAGE", `there is no folder ${project}`);
  if (host.projectFile !== undefined)
    return { file: resolve(project, host.projectFile), project: resolve(project) };
  throw new Failure("USAGE", `${host.title} has no configuration for a project; leave out --project`);
}

async function planChange(
  session: Session,
  host: Host,
  config: ConfigFile,
  { name, install }: ChangeRequest,
): Promise<PlannedChange> {
  const isShared = config.project !== undefined;
  const connection = install && (await connectionFor(host, session, { bridge: install.bridge, isShared }));
  const entry = connection ? host.entry(connection) : null;
  const path: EntryPath = [host.section, name];
  return planEdit(session, host, config, {
    entry,
    isPresent: (text) => entryIn(text, host.format, path) !== undefined,
    edit: (text) => withEntry(text, host.format, path, entry ?? undefined),
    next: nextStep(host, name, connection !== undefined && "url" in connection),
  });
}

/** The functions throw `UnusableConfig` if they cannot edit the text. */
interface ConfigEdit extends Pick<HostChange, "entry" | "next"> {
  isPresent(text: string): boolean;
  /** Returns the new text. Called again if the host has written the file in the meantime. */
  edit(text: string): string;
}

export async function planEdit(
  { env }: Session,
  { id, title }: Pick<Host, "id" | "title">,
  config: ConfigFile,
  { entry, isPresent, edit: editText, next }: ConfigEdit,
): Promise<PlannedChange> {
  const { file } = config;
  const edit = (text: string) => withFile(file, () => editText(text));
  const before = await readConfig(config);
  const after = edit(before);
  const added = withFile(file, () => isPresent(before)) ? "replace" : "add";
  return {
    host: id,
    title,
    file,
    action: after === before ? "none" : entry === null ? "remove" : added,
    entry,
    diff: changedLines(before, after),
    next,
    async write() {
      const backup = await changeConfig(config, {
        edit,
        backupFolder: join(configFolder(env), "backups"),
        backupPrefix: id,
        newMode: config.project === undefined ? 0o600 : 0o644,
      });
      return backup ?? null;
    },
  };
}

/**
 * Plans a file that belongs to Wireroom alone.
 * @param text the new content; undefined to delete the file, and its folder unless it contains other files
 */
export async function planOwnFile(
  session: Session,
  host: Pick<Host, "id" | "title">,
  config: ConfigFile,
  { text, next }: { text: string | undefined; next: string | null },
): Promise<PlannedChange> {
  const planned = await planEdit(session, host, config, {
    entry: text === undefined ? null : {},
    isPresent: (before) => before !== "",
    edit: () => text ?? "",
    next,
  });
  if (text !== undefined) return planned;
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

/** Secrets: keys, and credentials in an `Authorization` header. */
const SECRET = /\b(?:wr|wt)_\w{20,}|(?<=\bBearer )[^\s"'$]+/g;

/**
 * Returns the removed and added lines, prefixed with `-` and `+`. Omits unchanged lines, because they may
 * contain secrets, and masks keys in changed lines.
 */
function changedLines(before: string, after: string): string[] {
  const [old, updated] = [before, after].map((text) =>
    text.split(/\r?\n/).filter((line) => line.trim() !== ""),
  );
  const changed = [
    ...missingFrom(updated!, old!).map((line) => `-${line}`),
    ...missingFrom(old!, updated!).map((line) => `+${line}`),
  ];
  return changed.map((line) => line.replace(SECRET, "…"));
}

/** Returns the lines that `others` lacks. A line that occurs twice must also occur twice in `others`. */
function missingFrom(others: readonly string[], lines: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}

function withFile<Result>(file: string, task: () => Result): Result {
  try {
    return task();
  } catch (error) {
    if (!(error instanceof UnusableConfig)) throw error;
    throw new Failure("FAILED", `cannot change ${file}: ${error.message}`, [
      "Nothing was changed. Correct the file, then run the command again.",
    ]);
  }
}

function nextStep({ title, signIn }: Host, name: string, isUrl: boolean): string {
  const restart = `Restart ${title}.`;
  return isUrl && signIn ? `${restart} ${signIn(name)}` : restart;
}
