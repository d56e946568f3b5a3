/** Reads the inbox with Node's own HTTP client, because it loads faster than the SDK. */
import { applyEnvironmentProxy } from "../environment-proxy.js";

/** Maximum number of items in a page. */
export const PAGE_LIMIT = 100;
/** Maximum response size. The service's pages are smaller, so this only protects against other servers. */
const MAX_BYTES = 32 * 1024 * 1024;

export class UnexpectedStatus extends Error {
  override readonly name = "UnexpectedStatus";

  constructor(readonly status: number | undefined) {
    super(`status ${status}`);
  }
}

export interface InboxPage {
  page: UnreadPage;
  /** Whether a next page may exist. The hook does not read it, because that would acknowledge this page. */
  mayHaveMore: boolean;
}

/** The first page of unread items. */
export interface UnreadPage {
  wires: { cut?: boolean; [field: string]: unknown }[];
  knocks: Record<string, unknown>[];
  tombstone_notices: unknown[];
  approval_notices: Record<string, unknown>[];
  space_notices: Record<string, unknown>[];
}

/**
 * A page has at most 4 MiB. If a page is at least this large, more items may follow, because the next item
 * may not have fitted: one wire's JSON has at most 1.1 MiB (docs/specification/limits.md#sizes).
 */
const FULL_PAGE_BYTES = 2.8 * 1024 * 1024;
/** A page of `FULL_PAGE_BYTES` contains at least this many wires with long content. */
const LARGE_WIRES = 3;

/**
 * Returns the first page of unread items, with cut texts and without payloads.
 * @param waitSeconds time that the service holds the request while nothing is unread
 */
export async function readInbox(
  baseUrl: string,
  credential: string,
  signal: AbortSignal,
  waitSeconds = 0,
): Promise<InboxPage> {
  const read = (query: string) =>
    getInbox(`${baseUrl}/inbox?limit=${PAGE_LIMIT}${query}`, credential, signal);
  const page = JSON.parse((await read(`&brief=true&wait=${waitSeconds}`)).toString()) as UnreadPage;
  const { wires, knocks, tombstone_notices, approval_notices, space_notices } = page;
  const lists = [wires, knocks, tombstone_notices, approval_notices, space_notices];
  const count = lists.reduce((sum, { length }) => sum + length, 0);
  if (count >= PAGE_LIMIT) return { page, mayHaveMore: true };
  if (wires.filter(({ cut }) => cut).length < LARGE_WIRES) return { page, mayHaveMore: false };
  // Read the same page with whole texts. Its size shows whether more items would have fitted.
  const { length } = await read("");
  return { page, mayHaveMore: length >= FULL_PAGE_BYTES };
}

async function getInbox(address: string, credential: string, signal: AbortSignal): Promise<Buffer> {
  const url = new URL(address);
  const headers = { authorization: `Bearer ${credential}`, accept: "application/json" };
  // Node's own client uses no proxy.
  if (await applyEnvironmentProxy(process.env)) {
    const response = await fetch(url, { headers, signal, redirect: "manual" });
    if (response.status !== 200) throw new UnexpectedStatus(response.status);
    return Buffer.from(await response.arrayBuffer());
  }
  const { get } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, agent: false, signal }, (response) => {
      if (response.statusCode !== 200) return void request.destroy(new UnexpectedStatus(response.statusCode));
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MAX_BYTES) request.destroy(new Error("the page is too large"));
        else chunks.push(chunk);
      });
      response.once("error", reject);
      response.once("end", () => resolve(Buffer.concat(chunks)));
    });
    request.once("error", reject);
  });
}
