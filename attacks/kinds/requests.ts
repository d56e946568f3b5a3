/** Requests whose heads cost more than others. */
import type { Attack } from "../attack.js";
import { flooding, head, occupy } from "../client.js";

const MANY_PARAMETERS = "a&".repeat(15_500);
/** A head close to the maximum number of headers. */
const MANY_HEADERS = head("GET /v1/inbox", ...Array.from({ length: 1_990 }, (_, n) => `h${n}: b`));

export const requestAttacks: Attack[] = [
  {
    name: "parameters",
    title: "queries with 15,500 parameters",
    by: "nobody",
    run: flooding(4, () => ({ path: `/identity/me?${MANY_PARAMETERS}` })),
  },
  {
    name: "parameters-with-key",
    title: "queries with 15,500 parameters, with a key",
    by: "one account",
    run: flooding(4, (target) => ({
      path: `/v1/inbox?${MANY_PARAMETERS}`,
      token: target.handles[0]!.key,
    })),
  },
  {
    name: "pipelined",
    title:
      "40 unread responses, and 58 pipelined requests with 1,990 headers behind them, on 300 connections",
    by: "nobody",
    run: (target, signal, count) =>
      occupy(target, signal, count, 300, head("GET /v1/openapi.json").repeat(40) + MANY_HEADERS.repeat(58), {
        reads: false,
      }),
  },
  {
    name: "pipelined-behind-held",
    title: "98 pipelined requests with 1,990 headers behind a held one, on 300 connections",
    by: "one account",
    run: (target, signal, count) => {
      const held = head("GET /v1/inbox?wait=50", `Authorization: Bearer ${target.handles[0]!.key}`);
      return occupy(target, signal, count, 300, held + MANY_HEADERS.repeat(98));
    },
  },
  {
    name: "idle-connections",
    title: "1,500 connections that send half a head",
    by: "nobody",
    run: (target, signal, count) =>
      occupy(target, signal, count, 1_500, "GET /v1/inbox HTTP/1.1\r\nHost: lo", { perSecond: 300 }),
  },
];
