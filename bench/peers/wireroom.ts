/** Wireroom, as a participant in the comparison. */
import { seededDatabase } from "../data/seed.js";
import { startDaemon } from "../servers/daemon.js";
import { connectOverHttp } from "./pairs-over-http.js";
import type { Peer } from "./peer.js";

export const wireroom: Peer = {
  name: "Wireroom",
  durability: "fsync",
  async start() {
    return startDaemon(await seededDatabase({ wires: 10_000 }, () => undefined));
  },
  connect: async (url, _run, pair) => connectOverHttp(url, pair),
};
