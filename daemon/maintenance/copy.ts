import { resolve } from "node:path";
import { type Copied, type CopyProgress, copyStore, sqliteFile } from "../../src/service/host/maintenance.js";
import { withoutCredentials } from "../settings.js";

export type { CopyProgress };

export interface Moved extends Copied {
  /** Both databases as they may be shown: without credentials. */
  from: string;
  to: string;
}

/**
 * Copies the whole service of one database into another, empty one. Throws `StoreRefused`; what an interruption leaves
 * is gone on with by the same call.
 */
export async function copyService(
  from: string,
  to: string,
  onProgress: (progress: CopyProgress) => void,
): Promise<Moved> {
  const names = { from: shown(from), to: shown(to) };
  return { ...names, ...(await copyStore({ from, to, sourceName: names.from, onProgress })) };
}

/** A file by its whole path, since the next command may be given elsewhere. Throws `StoreRefused` for other schemes. */
function shown(databaseUrl: string): string {
  const isServer = /^postgres(ql)?:\/\//.test(databaseUrl);
  return isServer ? withoutCredentials(databaseUrl) : `sqlite:${resolve(sqliteFile(databaseUrl))}`;
}
