import { resolve, sep } from "node:path";
import { COMMAND } from "../../../daemon/local/command.js";
import { Failure } from "../../failure.js";
import { activeHandle, apiKeyFor, noCredentials } from "../../profiles/endpoint.js";
import type { Session } from "../../session.js";
import type { Connection, Host } from "./hosts.js";

export interface ConnectionOptions {
  /** Use the stdio bridge, also for a host that supports OAuth. */
  bridge: boolean;
  /** The configuration belongs to a project, so other people and other machines may use it. */
  isShared: boolean;
}

/**
 * Returns how the host connects: at the URL of the daemon's MCP endpoint with OAuth, or through `wireroom mcp`, which
 * acts by an API key or the sign-in of the profile. Throws `USAGE` or `NO_CREDENTIALS`.
 */
export async function connectionFor(
  host: Host,
  session: Session,
  { bridge, isShared }: ConnectionOptions,
): Promise<Connection> {
  if (bridge || host.signIn === undefined) return isShared ? sharedBridge(session) : bridgeOfProfile(session);
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

/**
 * Returns the bridge with a saved key or the sign-in of this profile. Applications of the desktop often have another PATH than the
 * shell, so the paths of Node and of this program are absolute.
 */
async function bridgeOfProfile(session: Session): Promise<Connection> {
  const profile = await session.profile();
  // A host does not have the variables of this shell.
  const { WIREROOM_API_KEY: _, ...env } = session.env;
  const options = { ...session.endpointOptions, env };
  const handle = activeHandle(options, profile);
  if (apiKeyFor(options, profile) === undefined && !profile.signIn) throw noCredentials(handle);
  if (COMMAND.includes(`${sep}_npx${sep}`))
    session.output.warn(
      "warning: this program is in the cache of npx, and the host cannot start it once npx has deleted it; install it with: npm install --global wireroom",
    );
  const folder = env.WIREROOM_CONFIG_DIR;
  return {
    command: process.execPath,
    args: [
      COMMAND,
      "mcp",
      "--profile",
      session.profileName,
      ...(handle === undefined ? [] : ["--as", handle]),
      ...(session.flags.url === undefined ? [] : ["--url", session.flags.url]),
    ],
    ...(folder && { env: { WIREROOM_CONFIG_DIR: resolve(folder) } }),
  };
}

/** Returns the bridge with the profile of whoever uses the project, unless flags name a profile or a handle. */
function sharedBridge({ flags }: Session): Connection {
  const named = (["profile", "as", "url"] as const).filter((name) => flags[name] !== undefined);
  return { command: "wireroom", args: ["mcp", ...named.flatMap((name) => [`--${name}`, flags[name]!])] };
}
