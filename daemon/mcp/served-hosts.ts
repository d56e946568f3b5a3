/**
 * Protects against DNS rebinding, in which a malicious web page makes its own host name resolve to this
 * machine. The page's requests then contain that name in `Host` and the page's origin in `Origin`.
 */
import type { IncomingMessage } from "node:http";
import { WireroomError } from "../../src/contract/errors.js";
import { LOOPBACK_NAMES } from "../../src/kernel/loopback.js";

export class ServedHosts {
  private readonly names: ReadonlySet<string>;

  /**
   * @param origins the listen address's origin and the public origin
   * @param host the configured listen address
   * @param corsOrigins other origins whose pages may call the endpoint
   */
  constructor(
    private readonly origins: readonly string[],
    host: string,
    private readonly corsOrigins: readonly string[],
  ) {
    const names = origins.map((origin) => new URL(origin).hostname);
    this.names = new Set([...LOOPBACK_NAMES, ...names, host.toLowerCase()]);
  }

  /** Throws FORBIDDEN if `Host` is unknown, or if a web page from a forbidden origin sent the request. */
  check(request: IncomingMessage): void {
    this.checkHost(request);
    const { host = "", origin } = request.headers;
    if (origin !== undefined && !this.isAllowed(origin, host.toLowerCase())) {
      throw forbidden(
        "Origin",
        origin,
        "is neither the origin of this daemon nor on this machine; allow it with --cors-origin",
      );
    }
  }

  checkHost(request: IncomingMessage): void {
    const { host = "" } = request.headers;
    const name = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d+)?$/i.exec(host)?.[1]?.toLowerCase();
    if (name === undefined || !(this.names.has(name) || name === localName(request))) {
      throw forbidden(
        "Host",
        host,
        "is not a host name of this daemon; set its public name with --public-url",
      );
    }
  }

  private isAllowed(origin: string, host: string): boolean {
    if (!/^https?:/.test(origin) || !URL.canParse(origin)) return false;
    const url = new URL(origin);
    // The URL parser accepts other spellings, such as a path, or 127.1 for 127.0.0.1.
    if (url.origin !== origin) return false;
    return (
      LOOPBACK_NAMES.includes(url.hostname) ||
      url.host === host ||
      this.origins.includes(origin) ||
      this.corsOrigins.includes(origin)
    );
  }
}

/** Returns the connection's local IP address as URLs spell it. */
function localName({ socket }: IncomingMessage): string {
  const address = (socket.localAddress ?? "").replace(/^::ffff:/, "");
  return address.includes(":") ? `[${address}]` : address;
}

function forbidden(header: string, value: string, why: string): WireroomError {
  return new WireroomError("FORBIDDEN", `the ${header} ${JSON.stringify(value.slice(0, 100))} ${why}`);
}
