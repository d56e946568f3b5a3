/** Decides how an MCP host reaches the daemon: by its URL with OAuth, or by starting `wireroom mcp`. */
import { resolve, sep } from "node:path";
import { COMMAND } from "../../../daemon/local/offline.js";
import { WireroomError } from "../../../sdk/src/api.js";
import type { Connection } from "../../../src/mcp-hosts/entries.js";
import { EXIT, exitCodeOf } from "../../exit-codes.js";
import { Failure } from "../../failure.js";
import { activeHandle, apiKeyFor, noCredentials } from "../../profiles/endpoint.js";
import type { Session } from "../../session.js";
import type { Host } from "./hosts.js";

export interface ConnectionOptions {
  /** Use the stdio bridge, even for a host that supports OAuth. */
  bridge: boolean;
  /** True if the configuration belongs to a project, so other people and machines may use it. */
  isShared: boolean;
}

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
      ["Add --bridge, or leave out --as."],
    );
  return { url: new URL("/mcp", await session.urlForSecrets()).href };
}

const CHECK_TIMEOUT_MS = 5_000;

/** A command that a host starts. */
export type StartedCommand = Exclude<Connection, { url: string }>;

/**
 * Returns how a host starts a command of this program. In a project's configuration, the command uses the
 * profile of the person who runs it. Otherwise, it uses this profile's saved key or sign-in, and the function
 * throws `NO_CREDENTIALS` if there is none.
 */
export async function startedCommand(
  session: Session,
  name: "mcp" | "hook",
  isShared: boolean,
): Promise<StartedCommand> {
  const { flags } = session;
  if (isShared) {
    const named = (["profile", "as", "url"] as const).filter((flag) => flags[flag] !== undefined);
    return { command: "wireroom", args: [name, ...named.flatMap((flag) => [`--${flag}`, flags[flag]!])] };
  }
  const profile = await session.profile();
  // Ignore `WIREROOM_API_KEY`, because the host does not have this shell's environment.
  const { WIREROOM_API_KEY: _, ...env } = session.env;
  const options = { ...session.endpointOptions, env };
  const handle = activeHandle(options, profile);
  if (apiKeyFor(options, profile) === undefined && !profile.signIn) throw noCredentials(options, profile);
  if (flags.as !== undefined) await assertCanAct(session);
  if (COMMAND.includes(`${sep}_npx${sep}`))
    session.output.warn(
      "warning: this program is in the cache of npx, and the host cannot start it once npx has deleted it; install it with: npm install --global wireroom",
    );
  const folder = env.WIREROOM_CONFIG_DIR;
  // The paths are absolute, because desktop applications often have another PATH than the shell.
  return {
    command: process.execPath,
    args: [
      COMMAND,
      name,
      "--profile",
      session.profileName,
      ...(handle === undefined ? [] : ["--as", handle]),
      ...(flags.url === undefined ? [] : ["--url", flags.url]),
    ],
    ...(folder && { env: { WIREROOM_CONFIG_DIR: resolve(folder) } }),
  };
}

/** If a daemon responds, throws the error that the host would get later, such as for an unknown handle. */
async function assertCanAct(session: Session): Promise<void> {
  try {
    await (await session.agent()).profile.get({ maxRetries: 0, timeout: CHECK_TIMEOUT_MS });
  } catch (error) {
    const isReported = error instanceof WireroomError || error instanceof Failure;
    if (isReported && exitCodeOf(error.code) === EXIT.unreachable) return;
    throw error;
  }
}
