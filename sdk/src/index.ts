/**
 * The entry point for Node, which sends requests with undici's connection pool. Other runtimes load `api.js`
 * (see `exports` in package.json), which does not import undici.
 */
import { setDefaultTransport } from "./runtime/transport/default.js";
import { poolTransport } from "./runtime/transport/pool.js";

setDefaultTransport(poolTransport);

export * from "./api.js";
