import type { Handle, WireroomDashboard } from "../../sdk/src/index.js";
import { Failure } from "../failure.js";
import { handleSlug } from "../profiles/endpoint.js";
import { closestWord } from "./call/closest-word.js";

/** A name that a handle can have (docs/specification/names.md#slugs). */
const POSSIBLE = /^(?!.*wireroom)[a-z0-9-]{3,32}$/;

export async function findOwnHandle(client: WireroomDashboard, name: string): Promise<Handle> {
  const slug = handleSlug(name);
  const slugs: string[] = [];
  for await (const handle of client.handles.list()) {
    if (handle.slug === slug) return handle;
    slugs.push(handle.slug);
  }
  const similar = closestWord(slug, slugs);
  throw new Failure("NOT_FOUND", `you have no handle @${slug}`, [
    ...(similar === undefined ? [] : [`Did you mean @${similar}?`]),
    "List your handles: wireroom handle list",
    ...(POSSIBLE.test(slug) ? [`Create it: wireroom handle create ${slug}`] : []),
  ]);
}

export const RETIREMENT = [
  "Its keys are revoked, its profile is emptied, and it leaves its spaces and contacts.",
  "Its name can never be used again. Its wires stay readable.",
];

export async function keyPrefixesOf(client: WireroomDashboard, handleId: string): Promise<string[]> {
  const prefixes: string[] = [];
  for await (const { handle_id, prefix } of client.keys.list())
    if (handle_id === handleId) prefixes.push(prefix);
  return prefixes;
}
