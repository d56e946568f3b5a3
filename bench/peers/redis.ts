/**
 * Redis streams with `appendfsync always`: XADD and blocking XREAD. It has its own RESP client, so it needs
 * no package.
 */
import { connect, type Socket } from "node:net";
import { findProgram, freePort, launch, type Peer } from "./peer.js";

export const redis: Peer = {
  name: "Redis",
  durability: "fsync",
  async start(folder) {
    const command = findProgram("redis-server");
    if (!command) return "redis-server is not installed";
    const port = await freePort();
    const settings = {
      port,
      bind: "127.0.0.1",
      dir: folder,
      appendonly: "yes",
      appendfsync: "always",
      save: "",
    };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
    return launch({ command, args, port });
  },
  async connect(url, run, pair) {
    const [sender, receiver] = [new RespClient(url), new RespClient(url)];
    const key = `inbox:${run}:${pair}`;
    let last = "0";
    return {
      async exchange(text) {
        const received = receiver.call("XREAD", "BLOCK", "0", "COUNT", "50", "STREAMS", key, last);
        await sender.call("XADD", key, "*", "from", `agent-${pair}`, "text", text);
        const streams = (await received) as [name: string, entries: [id: string, fields: unknown][]][];
        last = streams[0]![1].at(-1)![0];
      },
      close() {
        sender.close();
        receiver.close();
      },
    };
  },
};

type Reply = string | number | null | Reply[];

/** A RESP client with one connection and one call at a time. */
class RespClient {
  private readonly socket: Socket;
  private buffer = Buffer.alloc(0);
  private waiting: { resolve(reply: Reply): void; reject(error: Error): void } | undefined;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.socket = connect(Number(port), hostname).setNoDelay(true);
    this.socket.on("data", (chunk) => {
      this.buffer = this.buffer.length === 0 ? chunk : Buffer.concat([this.buffer, chunk]);
      this.settle();
    });
    this.socket.on("error", (error) => this.waiting?.reject(error));
  }

  call(...parts: string[]): Promise<Reply> {
    const words = parts.map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`);
    this.socket.write(`*${parts.length}\r\n${words.join("")}`);
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private settle(): void {
    const parsed = parseReply(this.buffer, 0);
    if (!parsed) return;
    this.buffer = this.buffer.subarray(parsed.end);
    if (parsed.value instanceof Error) this.waiting?.reject(parsed.value);
    else this.waiting?.resolve(parsed.value);
  }
}

/** Parses the reply that starts at `start`; undefined if it is not complete yet. */
function parseReply(buffer: Buffer, start: number): { value: Reply | Error; end: number } | undefined {
  const lineEnd = buffer.indexOf("\r\n", start);
  if (lineEnd < 0) return undefined;
  const line = buffer.toString("utf8", start + 1, lineEnd);
  const next = lineEnd + 2;
  switch (String.fromCharCode(buffer[start]!)) {
    case "+":
      return { value: line, end: next };
    case "-":
      return { value: new Error(line), end: next };
    case ":":
      return { value: Number(line), end: next };
    case "$": {
      const length = Number(line);
      if (length < 0) return { value: null, end: next };
      if (buffer.length < next + length + 2) return undefined;
      return { value: buffer.toString("utf8", next, next + length), end: next + length + 2 };
    }
    default: {
      const items: Reply[] = [];
      let end = next;
      for (let n = 0; n < Number(line); n++) {
        const item = parseReply(buffer, end);
        if (!item) return undefined;
        if (item.value instanceof Error) return item;
        items.push(item.value);
        end = item.end;
      }
      return { value: Number(line) < 0 ? null : items, end };
    }
  }
}
