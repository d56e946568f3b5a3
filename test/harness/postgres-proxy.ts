/** A proxy between one daemon and PostgreSQL that does to connections what networks do, at the worst moments. */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** When a connection is cut: a transaction has inserted and not committed, or it has committed and the word of it is lost. */
export type Moment = "after-insert" | "after-commit";

export interface PostgresProxy {
  /** The database's URL by way of the proxy. */
  url: string;
  /** How many connections were cut at a moment so far. */
  readonly cuts: number;
  /** Cuts connections, as many as `count`, when they next reach the moment. */
  cutAt(moment: Moment, count: number): void;
  /** Cuts all connections. */
  cutAll(): void;
  /** From now on nothing gets through, and nobody is told. */
  stall(): void;
  /** What was stalled goes on where it stood. */
  resume(): void;
  /** From now on every notification is swallowed, or where told so, every connection that listens is cut. */
  silence(how: "swallow" | "cut"): void;
  /** How many notifications were swallowed, or listening connections cut. */
  readonly silenced: number;
  close(): Promise<void>;
}

interface Link {
  client: Socket;
  server: Socket;
}

/** @param target URL of the database */
export async function startPostgresProxy(target: string): Promise<PostgresProxy> {
  const { hostname, port } = new URL(target);
  const links = new Set<Link>();
  const state = {
    cuts: 0,
    armed: new Map<Moment, number>(),
    stalled: false,
    silence: undefined as "swallow" | "cut" | undefined,
    silenced: 0,
  };

  const cut = (link: Link) => {
    links.delete(link);
    link.client.resetAndDestroy();
    link.server.resetAndDestroy();
  };
  /** Whether a message of the server's goes on to the client. */
  const passes = (link: Link, message: Buffer): boolean => {
    if (isNotification(message) && state.silence === "swallow") {
      state.silenced++;
      return false;
    }
    const moment = momentOf(message);
    const left = moment === undefined ? 0 : (state.armed.get(moment) ?? 0);
    if (left === 0) return true;
    state.armed.set(moment!, left - 1);
    state.cuts++;
    cut(link);
    return false;
  };

  const proxy = createServer((client) => {
    const link: Link = { client, server: connect(Number(port), hostname) };
    links.add(link);
    if (state.stalled) for (const socket of [link.client, link.server]) socket.pause();
    const messages = new Messages();
    client.on("data", (chunk) => {
      if (state.silence === "cut" && chunk.includes("LISTEN ")) {
        state.silenced++;
        cut(link);
      } else link.server.write(chunk);
    });
    link.server.on("data", (chunk) => {
      for (const message of messages.after(chunk)) {
        if (client.destroyed) return;
        if (passes(link, message)) client.write(message);
      }
    });
    for (const [socket, other] of [
      [client, link.server],
      [link.server, client],
    ] as const) {
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        links.delete(link);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const url = new URL(target);
  url.hostname = "127.0.0.1";
  url.port = String((proxy.address() as AddressInfo).port);

  return {
    url: url.href,
    get cuts() {
      return state.cuts;
    },
    get silenced() {
      return state.silenced;
    },
    cutAt: (moment, count) => void state.armed.set(moment, count),
    cutAll: () => {
      for (const link of [...links]) cut(link);
    },
    stall() {
      state.stalled = true;
      for (const { client, server } of links) for (const socket of [client, server]) socket.pause();
    },
    resume() {
      state.stalled = false;
      for (const { client, server } of links) for (const socket of [client, server]) socket.resume();
    },
    silence(how) {
      state.silence = how;
      if (how === "cut") for (const link of [...links]) cut(link);
    },
    close: () =>
      new Promise((resolve) => {
        proxy.close(() => resolve());
        for (const link of [...links]) cut(link);
      }),
  };
}

/** The server's messages: a letter, the length in four bytes, the rest. */
class Messages {
  private pending: Buffer = Buffer.alloc(0);

  *after(chunk: Buffer): Iterable<Buffer> {
    this.pending = Buffer.concat([this.pending, chunk]);
    while (this.pending.length >= 5) {
      const end = 1 + this.pending.readUInt32BE(1);
      if (this.pending.length < end) return;
      const message = this.pending.subarray(0, end);
      this.pending = this.pending.subarray(end);
      yield message;
    }
  }
}

const letterOf = (message: Buffer) => String.fromCharCode(message[0]!);

function isNotification(message: Buffer): boolean {
  return letterOf(message) === "A";
}

/** From the tag with which a statement is reported complete. */
function momentOf(message: Buffer): Moment | undefined {
  if (letterOf(message) !== "C") return undefined;
  const tag = message.toString("latin1", 5, message.length - 1);
  if (tag === "COMMIT") return "after-commit";
  return tag.startsWith("INSERT") ? "after-insert" : undefined;
}
