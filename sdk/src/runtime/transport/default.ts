/** The transport of clients without the option `fetch`. */
import { fetchTransport } from "./fetch.js";
import type { Transport } from "./transport.js";

/** Creates the transport of a client. @param connections the maximum number of connections */
export type CreateTransport = (baseUrl: URL, connections: number) => Transport;

let create: CreateTransport = (baseUrl) => fetchTransport(baseUrl, (url, init) => fetch(url, init));

/** Replaces the transport of clients that are created later. The entry point for Node calls it. */
export function setDefaultTransport(replacement: CreateTransport): void {
  create = replacement;
}

/** Creates the transport of the runtime. Without a replacement, it is the global `fetch`. */
export const defaultTransport: CreateTransport = (baseUrl, connections) => create(baseUrl, connections);
