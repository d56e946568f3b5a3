import { resolve, sep } from "node:path";
import { COMMAND } from "../../../daemon/local/command.js";
import { WireroomError } from "../../../sdk/src/index.js";
import type { Connection } from "../../../src/mcp-hosts/entries.js";
import { EXIT, exitCodeOf } from "../../exit-codes.js";
import { Failure } from "../../failure.js";
import { activeHandle, apiKeyFor, noCredentials } from "../../profiles/endpoint.js";
import type { Session } from "../../session.js";
import type { Host } from "./hosts.js";

export interface ConnectionOptions {
  /** Use the stdio bridge, also for a host that supports OAuth. */
  bridge: boolean;
  /** The configuration belongs to a project, so other people and other machines may use it. */
  isShared: boolean;
}

/**
 * Returns how the host connects: at the URL of the daemon's MCP endpoint with OAuth, or through `wireroom
 * mcp`, which acts by an API key or the sign-in of the profile. Throws `USAGE` or `NO_CREDENTIALS`.
 */
export async function connectionFor(
  host: Host,
  session: Session,
  { bridge, isShared }: ConnectionOptions,
): Promise<Connection> {
  if (bridge || host.signIn === undefined) return startedCommand(session, "mcp", isShared);
  if (session.flags.as !== undefined)
    throw new Failure(
      "USAGE",
      `--as needs --bridge: with OAuth, the human chooses the handle while signing in from ${host.title}`,
    );
  return { url: await endpointUrl(session) };
}

/** Returns the URL of the daemon's MCP endpoint. */
export async function endpointUrl(session: Session): Promise<string> {
  return new URL("/mcp", await session.urlForSecrets()).href;
}

const CHECK_TIMEOUT_MS = 5_000;

/** A command that a host starts. */
export type StartedCommand = Exclude<Connection, { url: string }>;

/**
 * Returns how a host starts a command of this program: with a saved key or the sign-in of this profile, or,
 * in the configuration of a project, with the profile of whoever uses the project. Throws `NO_CREDENTIALS`.
 */
export async function startedCommand(
  session: Session,
  name: "mcp" | "hook",
  isShared: boolean,
): Promise<StartedCommand> {
  return isShared ? sharedCommand(session, name) : commandOfProfile(session, name);
}

/**
 * Returns the command with this profile. Applications of the desktop often have another PATH than the shell,
 * so the paths of Node and of this program are absolute.
 */
async function commandOfProfile(session: Session, name: string): Promise<StartedCommand> {
  const profile = await session.profile();
  // A host does not have the variables of this shell.
  const { WIREROOM_API_KEY: _, ...env } = session.env;
  const options = { ...session.endpointOptions, env };
  const handle = activeHandle(options, profile);
  if (apiKeyFor(options, profile) === undefined && !profile.signIn) throw noCredentials(handle);
  if (session.flags.as !== undefined) await assertCanAct(session);
  if (COMMAND.includes(`${sep}_npx${sep}`))
    session.output.warn(
      "warning: this program is in the cache of npx, and the host cannot start it once npx has deleted it; install it with: npm install --global wireroom",
    );
  const folder = env.WIREROOM_CONFIG_DIR;
  return {
    command: process.execPath,
    args: [
      COMMAND,
      name,
      "--profile",
      session.profileName,
      ...(handle === undefined ? [] : ["--as", handle]),
      ...(session.flags.url === undefined ? [] : ["--url", session.flags.url]),
    ],
    ...(folder && { env: { WIREROOM_CONFIG_DIR: resolve(folder) } }),
  };
}

/**
 * Throws the error with which the command would fail later, for example for a handle that does not exist, if
 * a daemon answers.
 */
async function assertCanAct(session: Session): Promise<void> {
  try {
    await (await session.agent()).profile.get({ maxRetries: 0, timeout: CHECK_TIMEOUT_MS });
  } catch (error) {
    const isReported = error instanceof WireroomError || error instanceof Failure;
    if (isReported && exitCodeOf(error.code) === EXIT.unreachable) return;
    throw error;
  }
}

/**
 * Returns the command with the profile of whoever uses the project, unless flags name a profile or a handle.
 */
function sharedCommand({ flags }: Session, name: string): StartedCommand {
  const named = (["profile", "as", "url"] as const).filter((flag) => flags[flag] !== undefined);
  return { command: "wireroom", args: [name, ...named.flatMap((flag) => [`--${flag}`, flags[flag]!])] };
}
