/** Finds the daemon that runs on this machine. */
import type { DaemonState } from "../../../daemon/local/folder.js";
import type { HintNames } from "../../output/hints.js";
import { DEFAULT_URL, hasSecrets, isLoopback } from "../../profiles/endpoint.js";
import type { Session } from "../../session.js";
import { driverFailure } from "./driver.js";
import { dataDirFlag, defaultDataDir, lastSettings, readDataDir } from "./settings.js";

/** Returns the daemon's state. Returns undefined if none is running or this CLI cannot run daemons. */
export async function runningDaemon(session: Session): Promise<DaemonState | undefined> {
  if (driverFailure()) return undefined;
  try {
    const { findDaemon } = await import("../../../daemon/local/find.js");
    const found = await findDaemon(await readDataDir(session, {}));
    return found.status === "running" ? found.state : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the state of the daemon that this command calls. Returns undefined if it runs elsewhere. */
export async function calledDaemon(session: Session): Promise<DaemonState | undefined> {
  const state = await runningDaemon(session);
  return state?.base_url === (await session.url()) ? state : undefined;
}

/**
 * Returns the values for the hints after a failed connection, such as the URL of a daemon that runs on this
 * machine. Never throws, because an error here would hide the connection error.
 */
export async function connectionHintNames(session: Session): Promise<HintNames> {
  const url = await session.url().catch(() => undefined);
  if (url === undefined) return {};
  const { hostname, port } = new URL(url);
  const running = await runningDaemon(session);
  const publicUrl = running?.base_url === url ? publicUrlHints(running) : [];
  if (publicUrl.length > 0) return { publicUrlHints: publicUrl };
  if (!isLoopback(hostname)) return { remoteUrl: url };
  if (!running || running.base_url === url)
    return { startHints: await startHints(session, {}).catch(() => undefined) };
  const profile = await session.profile();
  const isOwn = session.flags.url === undefined && !session.env.WIREROOM_URL && hasSecrets(profile);
  const home = profile.dataDir ?? (await defaultDataDir());
  const isMoved = isOwn && home === (await readDataDir(session, {}));
  return { runningUrl: running.base_url, isMoved, ...(isOwn && { ownPort: port }) };
}

/** Returns hints for a daemon whose public URL does not respond. Returns none if it has no public URL. */
export function publicUrlHints({ base_url, listen }: DaemonState): string[] {
  const { origin } = new URL(base_url);
  if (origin === listen) return [];
  return [
    `${origin} is the public URL of the daemon, which listens on ${listen}.`,
    "This machine must reach it before anybody can sign in: check its DNS name and its TLS proxy.",
    "Until then, start the daemon without --public-url (WIREROOM_PUBLIC_URL).",
  ];
}

/** Returns the command that starts this machine's daemon at the called address. */
export async function startCommand(
  session: Session,
  flags: { dataDir?: string | undefined },
): Promise<string> {
  const url = await session.url().catch(() => DEFAULT_URL);
  const { hostname, port } = new URL(url);
  const { variables } = await lastSettings(session, flags);
  // `wireroom up` starts it with the last settings, which `npm start` and `wireroom daemon` do not store.
  const isRemembered = url === DEFAULT_URL || !isLoopback(hostname) || Object.keys(variables).length > 0;
  return `wireroom up${isRemembered ? "" : ` --port ${port || 80}`}${dataDirFlag(flags)}`;
}

/** Says how to start this machine's daemon at the called address, or how to set up an unused machine. */
export async function startHints(
  session: Session,
  flags: { dataDir?: string | undefined },
): Promise<string[]> {
  const start = await startCommand(session, flags);
  const { WIREROOM_URL, WIREROOM_API_KEY, WIREROOM_ID_TOKEN } = session.env;
  const isNamed = session.flags.url ?? (WIREROOM_URL || WIREROOM_API_KEY || WIREROOM_ID_TOKEN);
  if (hasSecrets(await session.profile()) || isNamed) return [`Start it: ${start}`];
  return ["Set up this machine: wireroom init", `Or only start the daemon: ${start}`];
}
