import { packageVersion } from "../../package-version.js";
import type { Session } from "../../session.js";
import { readDataDir } from "./settings.js";

interface Versions {
  version: string;
  node: string;
  /** Null if no daemon answers. */
  daemon: {
    url: string;
    /** Null for a daemon that does not run on this machine. */
    version: string | null;
    api_version: string;
  } | null;
}

/** A version is no reason to wait for a daemon that does not answer. */
const TIMEOUT_MS = 2_000;

export async function readVersions(session: Session): Promise<Versions> {
  const url = await session.url();
  const [api_version, version] = await Promise.all([readApiVersion(url), readDaemonVersion(session, url)]);
  const daemon = api_version === undefined ? null : { url, version, api_version };
  return { version: packageVersion(), node: process.versions.node, daemon };
}

/** Returns the version of the API document. Returns undefined if no Wireroom daemon answers. */
async function readApiVersion(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/openapi.json`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const { info } = (await response.json()) as { info?: { title?: unknown; version?: unknown } };
    return info?.title === "Wireroom" && typeof info.version === "string" ? info.version : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the version that the daemon of the profile wrote to its data folder, if it serves this URL. */
async function readDaemonVersion(session: Session, url: string): Promise<string | null> {
  try {
    const { findDaemon } = await import("../../../daemon/local/find.js");
    const found = await findDaemon(await readDataDir(session, {}));
    return found.status === "running" && found.state.base_url === url ? found.state.version : null;
  } catch {
    // The command also works where the daemon cannot run.
    return null;
  }
}
