import type { Handle, WireroomDashboard } from "../../sdk/src/index.js";
import { Failure } from "../failure.js";
import { handleSlug } from "../profiles/endpoint.js";
import { closestWord } from "./call/closest-word.js";

export async function findOwnHandle(client: WireroomDashboard, name: string): Promise<Handle> {
  const slugs: string[] = [];
  for await (const handle of client.handles.list()) {
    if (handle.slug === handleSlug(name)) return handle;
    slugs.push(handle.slug);
  }
  const similar = closestWord(handleSlug(name), slugs);
  throw new Failure("NOT_FOUND", `you have no handle @${handleSlug(name)}`, [
    ...(similar === undefined ? [] : [`Did you mean @${similar}?`]),
    "List your handles: wireroom handle list",
    `Create it: wireroom handle create ${handleSlug(name)}`,
  ]);
}
