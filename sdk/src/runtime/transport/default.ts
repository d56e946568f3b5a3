/** The transport for clients that do not set the option `fetch`. */
import { fetchTransport } from "./fetch.js";
import type { Transport } from "./transport.js";

export type CreateTransport = (baseUrl: URL, connections: number) => Transport;

let create: CreateTransport = (baseUrl) => fetchTransport(baseUrl, (url, init) => fetch(url, init));

/** Affects only clients that are created afterwards. The SDK's Node entry point calls this function. */
export function setDefaultTransport(replacement: CreateTransport): void {
  create = replacement;
}

export const defaultTransport: CreateTransport = (baseUrl, connections) => create(baseUrl, connections);
