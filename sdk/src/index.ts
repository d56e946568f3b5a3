/**
 * The entry point for Node, which sends requests through undici's connection pool. Other runtimes load
 * `api.js`, which does not import undici (see `exports` in package.json).
 */
import { setDefaultTransport } from "./runtime/transport/default.js";
import { poolTransport } from "./runtime/transport/pool.js";

setDefaultTransport(poolTransport);

export * from "./api.js";
