/** Adds `wireroom hook` to a host's hooks, or removes it. Leaves other hooks unchanged. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { HostId } from "../../../src/mcp-hosts/entries.js";
import { Failure } from "../../failure.js";
import type { OriginFlags } from "../../input/origin.js";
import { shellQuoted } from "../../output/shell-quote.js";
import { readPackageFile } from "../../package-file.js";
import type { Session } from "../../session.js";
import { configFile, type PlannedChange, planEdit, planOwnFile } from "../mcp-hosts/change.js";
import type { ConfigFile } from "../mcp-hosts/config-file.js";
import { entryIn, tablesIn, withList, withTables } from "../mcp-hosts/config-text.js";
import { startedCommand } from "../mcp-hosts/connection.js";
import { HOSTS } from "../mcp-hosts/hosts.js";
import { applyChanges } from "../mcp-hosts/run.js";
import { HOOK_HOST_IDS, HOOK_HOSTS, type HookHost } from "./hosts.js";

export interface HookChangeRequest {
  /** Undefined for all hosts on this machine. */
  host: HostId | undefined;
  /** Undefined for the user's configuration. */
  project: string | undefined;
  action: "install" | "uninstall";
  /** Also install the background hook that wakes an idle session. */
  wake?: boolean | undefined;
  origin?: OriginFlags;
}

interface HookGroup {
  hooks: readonly Handler[];
}

type Handler = Record<string, unknown>;

/**
 * Implements `wireroom hook install` and `uninstall`.
 * @param print only show the changes, without writing them
 */
export async function changeHooks(
  session: Session,
  request: HookChangeRequest,
  print: boolean,
): Promise<void> {
  const planned = await planHooks(session, request);
  if (request.action === "install" && !request.wake && isOpenCodeMeant(session, request)) {
    if (planned.length === 0)
      throw new Failure("USAGE", "the hook of OpenCode also wakes idle sessions; add --wake");
    session.output.warn("OpenCode is left out, because its hook also wakes idle sessions: add --wake");
  }
  if (planned.length === 0)
    throw new Failure("NOT_FOUND", "found none of the hosts that this command knows", [
      `Name one of them: ${HOOK_HOST_IDS.join(", ")}`,
    ]);
  await applyChanges(session, planned, { name: HOOK_NAME, print, asks: request.host === undefined });
}

export const HOOK_NAME = "wireroom hook";

/** Returns an empty list if no host of the request is on this machine. */
export async function planHooks(session: Session, request: HookChangeRequest): Promise<PlannedChange[]> {
  const machine = { platform: process.platform, env: session.env };
  const named = HOOK_HOSTS.find(({ id }) => id === request.host);
  if (request.wake && named && !named.wake)
    throw new Failure("USAGE", `no hook can wake ${named.title}`, [
      named.id === "codex"
        ? "wireroom watch --wake codex wakes a session of Codex."
        : "Without --wake, the hook tells it what is new while it works.",
    ]);
  const hosts = HOOK_HOSTS.filter((host) =>
    request.host === undefined
      ? existsSync(host.folder(machine)) && (request.project === undefined || host.projectFile)
      : host === named,
  );
  const planned: PlannedChange[] = [];
  if ((request.wake || request.action === "uninstall") && isOpenCodeMeant(session, request))
    planned.push(await planPlugin(session, request));
  for (const host of hosts) {
    const config = configFile(host, join(host.folder(machine), host.file), request.project);
    planned.push(await planChange(session, host, config, request));
  }
  return planned;
}

const OPENCODE = HOSTS.find(({ id }) => id === "opencode")!;
/** https://opencode.ai/docs/plugins */
const PLUGIN = join("plugins", "wireroom.js");

function openCodeFolder({ env }: Session): string {
  return OPENCODE.folder({ platform: process.platform, env });
}

function isOpenCodeMeant(session: Session, { host }: HookChangeRequest): boolean {
  return host === undefined ? existsSync(openCodeFolder(session)) : host === "opencode";
}

/** OpenCode cannot run a command as a hook, so a plugin runs `wireroom hook --wake`. */
async function planPlugin(
  session: Session,
  { project, action, origin }: HookChangeRequest,
): Promise<PlannedChange> {
  const host = { ...OPENCODE, projectFile: join(".opencode", PLUGIN) };
  const config = configFile(host, join(openCodeFolder(session), PLUGIN), project);
  if (action === "uninstall") return planOwnFile(session, host, config, { text: undefined, next: null });
  const text = await readPackageFile("integrations/opencode/wireroom.js");
  const { command, args, env = {} } = await startedCommand(session, "hook", config.project !== undefined);
  const constants = { COMMAND: [command, ...args, ...flagsOf(origin), "--wake"], VARIABLES: env };
  const filled = Object.entries(constants).reduce(
    (before, [name, value]) =>
      before.replace(
        new RegExp(`^const ${name} = .*$`, "m"),
        () => `const ${name} = ${JSON.stringify(value)};`,
      ),
    text,
  );
  const next = "Restart OpenCode; wireroom hook status lists its sessions.";
  return planOwnFile(session, host, config, { text: filled, next });
}

async function planChange(
  session: Session,
  host: HookHost,
  config: ConfigFile,
  { action, wake = false, origin = {} }: HookChangeRequest,
): Promise<PlannedChange> {
  const isShared = config.project !== undefined;
  const isInstall = action === "install";
  const handlers = isInstall ? await handlersFor(session, host, { isShared, wake, origin }) : {};
  const entry = isInstall ? handlers : null;
  const next = isInstall ? host.next : null;
  if (host.file.endsWith(".toml")) {
    const tables = Object.entries(handlers).flatMap(([event, list]) =>
      list.map((each) => ({ event, ...each })),
    );
    return planEdit(session, host, config, {
      entry,
      isPresent: (text) => tablesIn(text, "hooks").some(isOwn),
      edit: (text) => withTables(text, "hooks", isOwn, tables),
      next,
    });
  }
  const events = [...host.events, ...(host.wake ? [host.wake.sessionEnd] : [])];
  return planEdit(session, host, config, {
    entry,
    isPresent: (text) => host.events.some((event) => groupsOf(text, event).some(hasOwn)),
    edit: (text) =>
      events.reduce((edited, event) => {
        const groups = groupsOf(edited, event);
        const added = handlers[event];
        // If nothing is added, leave a list without our hooks unchanged, even if its form is unknown.
        return added === undefined && !groups.some(hasOwn)
          ? edited
          : withList(
              edited,
              ["hooks", event],
              changed(groups, added === undefined ? null : { hooks: added }),
            );
      }, text),
    next,
  });
}

function flagsOf({ relation, sentBy }: OriginFlags = {}): string[] {
  return [...(relation ? ["--relation", relation.join(",")] : []), ...(sentBy ? ["--sent-by", sentBy] : [])];
}

async function handlersFor(
  session: Session,
  host: HookHost,
  { isShared, wake, origin }: { isShared: boolean; wake: boolean; origin: OriginFlags },
): Promise<Record<string, Handler[]>> {
  const flags = flagsOf(origin);
  const command = await commandLine(session, isShared, flags);
  const handlers = Object.fromEntries(host.events.map((event) => [event, [host.handler(command)]]));
  if (!wake || !host.wake) return handlers;
  const { handler, sessionEnd } = host.wake;
  handlers[host.events.at(-1)!]!.push(handler(await commandLine(session, isShared, [...flags, "--wake"])));
  return { ...handlers, [sessionEnd]: [host.handler(command)] };
}

/**
 * Replaces the first `wireroom hook` handler with the handlers of `added`, and removes all others. If there
 * is none, appends `added`.
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

/** Matches a shell word, quoted as by `shellQuoted` or unquoted. It contains nothing that a shell runs. */
const WORD = String.raw`(?:[^\s'"&|;<>()$\\\x60]+|'[^']*'(?:\\''[^']*')*)`;
const OWN_COMMAND = new RegExp(
  `^(?:WIREROOM_CONFIG_DIR=${WORD} )?(?:exec )?(?:wireroom|${WORD}(?<=/node[^/ ]*) ${WORD}(?<=/cli/main\\.js'?)) hook(?: --wake| --(?:profile|as|url|session|relation|sent-by) ${WORD})*$`,
);

/** Returns whether the handler runs `wireroom hook`, even from another folder or with other flags. */
function isOwn(handler: unknown): boolean {
  const { command } = (handler ?? {}) as Handler;
  return typeof command === "string" && OWN_COMMAND.test(command);
}

async function commandLine(session: Session, isShared: boolean, flags: readonly string[]): Promise<string> {
  const { command, args, env = {} } = await startedCommand(session, "hook", isShared);
  const words = [command, ...args, ...flags];
  // Windows shells quote paths differently, so omit the path. Each shell finds `wireroom` on the PATH.
  if (process.platform === "win32") return ["wireroom", ...words.slice(words.indexOf("hook"))].join(" ");
  const variables = Object.entries(env).map(([name, value]) => `${name}=${shellQuoted(value)}`);
  // `exec` replaces the shell, so that a background hook notices when its host ends.
  const exec = flags.includes("--wake") ? ["exec"] : [];
  return [...variables, ...exec, ...words.map(shellQuoted)].join(" ");
}
