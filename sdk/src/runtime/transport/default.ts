/** The transport for clients that do not set the option `fetch`. */
import { fetchTransport } from "./fetch.js";
import type { Transport } from "./transport.js";

/**
 * Creates a client's transport.
 * @param connections the maximum number of connections
 */
export type CreateTransport = (baseUrl: URL, connections: number) => Transport;

let create: CreateTransport = (baseUrl) => fetchTransport(baseUrl, (url, init) => fetch(url, init));

/** Replaces the transport for clients created afterwards. The SDK's Node entry point calls this function. */
export function setDefaultTransport(replacement: CreateTransport): void {
  create = replacement;
}

/** Creates a client's transport: the one set by the entry point, or one that uses the global `fetch`. */
export const defaultTransport: CreateTransport = (baseUrl, connections) => create(baseUrl, connections);
