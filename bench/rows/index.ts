import { burstRows } from "./burst.js";
import { consoleRows } from "./console.js";
import { crowdRows } from "./crowd.js";
import { growthRows } from "./growth.js";
import { hookRows } from "./hook.js";
import { hostileRows } from "./hostile.js";
import { jobRows } from "./jobs.js";
import { latencyRows } from "./latency.js";
import { mcpRows } from "./mcp.js";
import { overloadRows } from "./overload.js";
import { peerRows } from "./peers.js";
import { postRows } from "./post.js";
import { postgresRows } from "./postgres.js";
import { readRows } from "./read.js";
import type { Row } from "./row.js";
import { scaleRows } from "./scale.js";
import { soakRows } from "./soak.js";
import { stallRows } from "./stalls.js";
import { startRows } from "./start.js";
import { wakeRows } from "./wake.js";

/** All rows, in the order in which they run. */
export const rows: readonly Row[] = [
  ...postRows,
  ...readRows,
  ...mcpRows,
  ...scaleRows,
  ...peerRows,
  ...latencyRows,
  ...burstRows,
  ...overloadRows,
  ...stallRows,
  ...crowdRows,
  ...hostileRows,
  ...startRows,
  ...wakeRows,
  ...hookRows,
  ...consoleRows,
  ...postgresRows,
  ...jobRows,
  ...growthRows,
  ...soakRows,
];
