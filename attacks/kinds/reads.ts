/** Reads by one account that cost more than the size of their page suggests. */
import type { Attack } from "../attack.js";
import { flood, flooding, head, occupy, pause, send } from "../client.js";

export const readAttacks: Attack[] = [
  {
    name: "invisible-thread",
    title:
      "300 held reads of a DM thread of 20,000 wires, of which the reader sees one, and new wires that wake them",
    by: "one account",
    async run(target, signal, count) {
      const [reader, , sender] = target.handles;
      const path = `/v1/threads/${target.thread.root}?wait=50&limit=100`;
      const wake = async () => {
        while (!signal.aborted) {
          const body = { to: `@${target.handles[1]!.slug}`, text: "wake up", reply_to: target.thread.hop };
          const status = await send(target, { method: "POST", path: "/v1/wires", token: sender!.key, body });
          count(`wires ${status}`);
          await pause(1_100, signal);
        }
      };
      await Promise.all([
        wake(),
        occupy(target, signal, count, 300, head(`GET ${path}`, `Authorization: Bearer ${reader!.key}`)),
        flood(target, signal, count, 8, () => ({
          path: `/v1/threads/${target.thread.root}?cursor=latest`,
          token: reader!.key,
        })),
      ]);
    },
  },
  {
    name: "held-requests",
    title: "1,000 held requests where 1,024 files may be open",
    by: "one account",
    run: (target, signal, count) =>
      occupy(
        target,
        signal,
        count,
        1_000,
        head("GET /v1/inbox?wait=50", `Authorization: Bearer ${target.handles[0]!.key}`),
        { perSecond: 150 },
      ),
  },
  {
    name: "unread-pages",
    title: "8 pages each that are not read, on 300 connections",
    by: "one account",
    run: (target, signal, count) => {
      const page = head(
        `GET /v1/threads/${target.thread.hop}?limit=100`,
        `Authorization: Bearer ${target.handles[1]!.key}`,
      );
      return occupy(target, signal, count, 300, page.repeat(8), { reads: false });
    },
  },
  {
    name: "reads",
    title: "reads of an inbox on 200 connections",
    by: "one account",
    run: flooding(200, (target, n) => ({
      path: "/v1/inbox?limit=100",
      token: target.handles[n % 3]!.key,
    })),
  },
  {
    name: "searches",
    title: "searches with 32 words on 64 connections",
    by: "one account",
    run: (target, signal, count) => {
      const words = Array.from({ length: 32 }, (_, n) => `-missing${n}`).join(" or ");
      const path = `/v1/spaces/${target.space}/search?q=${encodeURIComponent(`word ${words}`)}`;
      return flood(target, signal, count, 64, () => ({ path, token: target.handles[0]!.key }));
    },
  },
];
