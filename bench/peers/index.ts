import { koa } from "./koa.js";
import { nats } from "./nats.js";
import type { Peer } from "./peer.js";
import { postgres } from "./postgres.js";
import { prosody } from "./prosody.js";
import { redis } from "./redis.js";
import { wireroom } from "./wireroom.js";

/** Wireroom, the services that it is compared with, and the Koa baseline. */
export const peers: readonly Peer[] = [wireroom, postgres, nats, prosody, redis, koa];
