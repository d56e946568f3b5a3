/** Adds the MCP endpoint to the configuration of MCP hosts, and removes it. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { diffLines } from "diff";
import type { HostId } from "../../../src/mcp-hosts/entries.js";
import { Failure } from "../../failure.js";
import { configFolder } from "../../profiles/folder.js";
import type { Session } from "../../session.js";
import { type ConfigFile, changeConfig, readConfig } from "./config-file.js";
import { type EntryPath, entryIn, UnusableConfig, withEntry } from "./config-text.js";
import { connectionFor } from "./connection.js";
import { HOSTS, type Host, type Machine } from "./hosts.js";

/** A requested change. */
export interface ChangeRequest {
  /** Undefined for all hosts on this machine. */
  host: HostId | undefined;
  /** Name of the entry. */
  name: string;
  /** Folder of a project. Undefined for the configuration of the user. */
  project: string | undefined;
  /** See `ConnectionOptions`. Undefined to remove the entry. */
  install: { bridge: boolean } | undefined;
}

/** A change of one file. `host` and `file` are known to `wireroom mcp install --json`. */
export interface HostChange {
  host: HostId;
  title: string;
  file: string;
  action: "add" | "replace" | "remove" | "none";
  /** The new entry, or null. */
  entry: Record<string, unknown> | null;
  /** The removed and added lines, with `-` and `+` in front. */
  diff: string[];
  /** The next step of the human, or null. */
  next: string | null;
}

/** A change of one file that can be written. */
export interface PlannedChange extends HostChange {
  /** Writes the file. Returns the path of the backup, or null if there was no file. */
  write(): Promise<string | null>;
}

/** The result for one file. `backup` and `written` are known after the change. */
export interface WrittenChange extends Omit<HostChange, "diff"> {
  written: boolean;
  backup: string | null;
}

/** Returns the change for each host. Writes nothing. Throws a `Failure` if a file cannot be changed. */
export async function planChanges(session: Session, request: ChangeRequest): Promise<PlannedChange[]> {
  const machine = { platform: process.platform, env: session.env };
  const hosts = HOSTS.filter((host) =>
    request.host === undefined
      ? isInstalled(host, machine) && (request.project === undefined || host.projectFile !== undefined)
      : host.id === request.host,
  );
  const changes = new Map<string, PlannedChange>();
  let left: Failure | undefined;
  for (const host of hosts) {
    const config = configFile(host, host.userFile(machine), request.project);
    // VS Code and VS Code Insiders share the file of a project.
    if (changes.has(config.file)) continue;
    try {
      changes.set(config.file, await planChange(session, host, config, request));
    } catch (error) {
      // The other hosts sign in themselves, so they need no credentials.
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

function isInstalled(host: Host, machine: Machine): boolean {
  return [host.folder(machine), host.userFile(machine)].some((path) => existsSync(path));
}

/**
 * Returns the configuration file of the user, or of a project. Throws `USAGE` if the host has none for a
 * project.
 */
export function configFile(
  host: Pick<Host, "title" | "projectFile">,
  userFile: string,
  project: string | undefined,
): ConfigFile {
  if (project === undefined) return { file: userFile, project };
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

/** An edit of a configuration. Its functions throw `UnusableConfig` if the text cannot be edited. */
interface ConfigEdit extends Pick<HostChange, "entry" | "next"> {
  isPresent(text: string): boolean;
  /** Returns the new text. It is called again if the host has written the file meanwhile. */
  edit(text: string): string;
}

/** Reads a configuration, and returns the change of it. Throws a `Failure` if it cannot be edited. */
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

/** Keys, and what an `Authorization` header contains. */
const SECRET = /\b(?:wr|wt)_\w{20,}|(?<=\bBearer )[^\s"'$]+/g;

/**
 * Returns the removed and added lines, with `-` and `+` in front. The other lines may contain secrets, so
 * they are left out, and keys in the changed lines are masked.
 */
function changedLines(before: string, after: string): string[] {
  return diffLines(before, after, { stripTrailingCr: true })
    .filter(({ added, removed }) => added || removed)
    .flatMap(({ added, value }) =>
      value
        .replace(/\n$/, "")
        .split("\n")
        .map((line) => `${added ? "+" : "-"}${line.replace(SECRET, "…")}`),
    );
}

/** Runs an edit of a file. Throws a `Failure` with the name of the file if its text cannot be edited. */
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
