/** The operation of a name: of the catalogue, or of a daemon that is newer than this command. */
import { type CatalogueEntry, OPERATIONS } from "../../../sdk/src/operations.js";
import { Failure } from "../../failure.js";
import type { Session } from "../../session.js";
import { describedOperations } from "./described.js";
import { nearest } from "./nearest.js";

/** Throws a `Failure` that names the nearest one. */
export async function findOperation(session: Session, name: string): Promise<CatalogueEntry> {
  const own = OPERATIONS.find(({ id }) => id === name);
  if (own) return own;
  const described = await describedOperations(await session.url());
  const newer = described.find(({ id }) => id === name);
  if (newer) return newer;
  const ids = [...new Set([...OPERATIONS, ...described].map(({ id }) => id))];
  const meant = nearest(name, ids);
  throw new Failure("USAGE", `there is no operation ${JSON.stringify(name)}`, [
    ...(meant ? [`Did you mean ${meant}?`] : []),
    "See them all: wireroom call --list",
  ]);
}
