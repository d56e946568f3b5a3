/** The Koa baseline: a server that accepts Wireroom's requests and stores nothing. */
import { join } from "node:path";
import { PATHS } from "../paths.js";
import { startNodeServer } from "../servers/process.js";
import { connectOverHttp } from "./pairs-over-http.js";
import type { Peer } from "./peer.js";

export const koa: Peer = {
  name: "Koa, in memory",
  durability: "nothing is stored",
  start: () => startNodeServer([join(PATHS.build, "baselines/koa-pairs.js")]),
  connect: async (url, _run, pair) => connectOverHttp(url, pair),
};
