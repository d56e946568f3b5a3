/**
 * Protection against DNS rebinding: a web page can make its own name resolve to this machine; its requests then carry that
 * name as `Host`, and its own `Origin`.
 */
import type { IncomingMessage } from "node:http";
import { WireroomError } from "../../src/contract/errors.js";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

export class ServedHosts {
  private readonly names: ReadonlySet<string>;

  /**
   * @param origins where clients reach the daemon: the address it listens on and the public one
   * @param host the configured listen address
   */
  constructor(
    private readonly origins: readonly string[],
    host: string,
  ) {
    const names = origins.map((origin) => new URL(origin).hostname);
    this.names = new Set([...LOOPBACK, ...names, host.toLowerCase()]);
  }

  /** Throws FORBIDDEN if the request names another host, or comes from a web page of another origin. */
  check(request: IncomingMessage): void {
    const { host = "", origin } = request.headers;
    const name = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d+)?$/i.exec(host)?.[1]?.toLowerCase();
    if (name === undefined || !(this.names.has(name) || name === localName(request))) {
      throw forbidden(
        "Host",
        host,
        "is no name of this daemon; an operator sets its public one with --public-url",
      );
    }
    if (origin !== undefined && !this.isOwn(origin, host.toLowerCase())) {
      throw forbidden("Origin", origin, "is neither this daemon's nor on this machine");
    }
  }

  private isOwn(origin: string, host: string): boolean {
    if (!URL.canParse(origin)) return false;
    const url = new URL(origin);
    return LOOPBACK.includes(url.hostname) || url.host === host || this.origins.includes(url.origin);
  }
}

/** The local address of the connection, as a URL spells it. */
function localName({ socket }: IncomingMessage): string {
  const address = (socket.localAddress ?? "").replace(/^::ffff:/, "");
  return address.includes(":") ? `[${address}]` : address;
}

function forbidden(header: string, value: string, why: string): WireroomError {
  return new WireroomError("FORBIDDEN", `the ${header} ${JSON.stringify(value.slice(0, 100))} ${why}`);
}
