/** A proxy between a daemon and PostgreSQL that injects network faults at critical moments. */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * The moment at which a connection is cut: after an INSERT and before the commit, or after the commit and
 * before its confirmation arrives.
 */
export type CutPoint = "after-insert" | "after-commit";

export interface PostgresProxy {
  /** The URL of the database through the proxy. */
  url: string;
  /** The number of connections cut at a cut point so far. */
  readonly cuts: number;
  /** Cuts the next `count` connections that reach the cut point. */
  cutAt(moment: CutPoint, count: number): void;
  cutAll(): void;
  /** Stops all traffic without closing connections. */
  stall(): void;
  /** Resumes the traffic after `stall`. */
  resume(): void;
  /** Delays all traffic, and limits its bandwidth. Without a value, the network is fast again. */
  slowDown(network?: SlowNetwork): void;
  /** Connects new connections to another server. */
  switchTo(target: string): void;
  /** Drops every notification, or cuts every connection that listens for notifications. */
  disruptNotifications(how: "swallow" | "cut"): void;
  /** The number of dropped notifications or cut listening connections. */
  readonly disruptedNotifications: number;
  close(): Promise<void>;
}

export interface SlowNetwork {
  delayMs: number;
  bytesPerSecond: number;
}

interface ProxiedConnection {
  client: Socket;
  server: Socket;
}

/** @param target URL of the database */
export async function startPostgresProxy(target: string): Promise<PostgresProxy> {
  let server = new URL(target);
  const links = new Set<ProxiedConnection>();
  const state = {
    cuts: 0,
    armed: new Map<CutPoint, number>(),
    stalled: false,
    silence: undefined as "swallow" | "cut" | undefined,
    silenced: 0,
    slow: undefined as SlowNetwork | undefined,
  };

  const cut = (link: ProxiedConnection) => {
    links.delete(link);
    link.client.resetAndDestroy();
    link.server.resetAndDestroy();
  };
  /** Returns whether a message of the server is forwarded to the client. */
  const passes = (link: ProxiedConnection, message: Buffer): boolean => {
    if (isNotification(message) && state.silence === "swallow") {
      state.silenced++;
      return false;
    }
    const moment = cutPointOf(message);
    const left = moment === undefined ? 0 : (state.armed.get(moment) ?? 0);
    if (left === 0) return true;
    state.armed.set(moment!, left - 1);
    state.cuts++;
    cut(link);
    return false;
  };

  // The proxy writes each message separately. Without this option, TCP may delay each one by 40 ms.
  const noDelay = true;
  const proxy = createServer({ noDelay }, (client) => {
    const { hostname: host, port } = server;
    const link: ProxiedConnection = { client, server: connect({ host, port: Number(port), noDelay }) };
    links.add(link);
    if (state.stalled) for (const socket of [link.client, link.server]) socket.pause();
    const messages = new MessageParser();
    const toServer = new Direction(link.server);
    const toClient = new Direction(client);
    client.on("data", (chunk) => {
      if (state.silence === "cut" && chunk.includes("LISTEN ")) {
        state.silenced++;
        cut(link);
      } else toServer.send(chunk, state.slow);
    });
    link.server.on("data", (chunk) => {
      for (const message of messages.after(chunk)) {
        if (client.destroyed) return;
        if (passes(link, message)) toClient.send(message, state.slow);
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
    get disruptedNotifications() {
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
    slowDown(network) {
      state.slow = network;
    },
    switchTo(other) {
      server = new URL(other);
    },
    disruptNotifications(how) {
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

/** One direction of a connection. Delayed data stays in order. */
class Direction {
  private waiting = 0;
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly target: Socket) {}

  send(bytes: Buffer, slow: SlowNetwork | undefined): void {
    if (!slow && this.waiting === 0) {
      this.target.write(bytes);
      return;
    }
    const { delayMs = 0, bytesPerSecond = Number.POSITIVE_INFINITY } = slow ?? {};
    const due = performance.now() + delayMs;
    this.waiting++;
    this.last = this.last.then(async () => {
      await sleep(Math.max(0, due - performance.now()) + (1_000 * bytes.length) / bytesPerSecond);
      this.waiting--;
      if (!this.target.destroyed) this.target.write(bytes);
    });
  }
}

/** Splits the server's output into messages: a type letter, a length of four bytes, and the content. */
class MessageParser {
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

const messageType = (message: Buffer) => String.fromCharCode(message[0]!);

function isNotification(message: Buffer): boolean {
  return messageType(message) === "A";
}

/** Returns the cut point by the command tag of a CommandComplete message. */
function cutPointOf(message: Buffer): CutPoint | undefined {
  if (messageType(message) !== "C") return undefined;
  const tag = message.toString("latin1", 5, message.length - 1);
  if (tag === "COMMIT") return "after-commit";
  return tag.startsWith("INSERT") ? "after-insert" : undefined;
}
