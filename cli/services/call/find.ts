/** Finds an API operation by name. Searches the CLI's own list, then a newer daemon's operations. */
import { type CatalogueEntry, OPERATIONS } from "../../../sdk/src/operations.js";
import { Failure } from "../../failure.js";
import type { Session } from "../../session.js";
import { closestWord } from "./closest-word.js";
import { fetchOperations } from "./daemon-operations.js";

export async function findOperation(session: Session, name: string): Promise<CatalogueEntry> {
  const own = OPERATIONS.find(({ id }) => id === name);
  if (own) return own;
  const described = await fetchOperations(await session.url());
  const newer = described.find(({ id }) => id === name);
  if (newer) return newer;
  const ids = [...new Set([...OPERATIONS, ...described].map(({ id }) => id))];
  const meant = closestWord(name, ids);
  throw new Failure("USAGE", `there is no operation ${JSON.stringify(name)}`, [
    ...(meant ? [`Did you mean ${meant}?`] : []),
    "List the operations: wireroom call --list",
  ]);
}
