/**
 * Determines a request's source address. The daemon uses it to throttle work that requires no credential, and
 * to find out whether a request comes from this machine.
 */
import type { IncomingMessage } from "node:http";
import { BlockList, isIP, isIPv6 } from "node:net";

/**
 * Returns the client's IPv4 address, or the /64 network that contains its IPv6 address, because a provider's
 * customer usually has a whole /64 network (RFC 6177).
 */
export type SourceOf = (request: IncomingMessage) => string;

/**
 * Reads `X-Forwarded-For` only from trusted proxies. Reads from right to left and stops at the first
 * untrusted address, because everything to its left may be forged.
 * @param proxies addresses and CIDR blocks of the trusted proxies
 */
export function createSourceOf(proxies: readonly string[]): SourceOf {
  const trusted = parseProxies(proxies);
  const isTrusted = (address: string) => trusted.check(address, isIPv6(address) ? "ipv6" : "ipv4");
  return ({ socket, rawHeaders }) => {
    // Node returns no address if the connection has been closed.
    let address = parseAddress(socket.remoteAddress ?? "") ?? "0.0.0.0";
    if (proxies.length === 0 || !isTrusted(address)) return networkOf(address);
    const hops = forwardedFor(rawHeaders);
    while (isTrusted(address)) {
      const hop = parseAddress(withoutPort(hops.pop()?.trim() ?? ""));
      if (hop === undefined) break;
      address = hop;
    }
    return networkOf(address);
  };
}

/**
 * Returns the addresses of the `X-Forwarded-For` headers. Does not use `request.headers`, because that
 * property takes milliseconds to create for 2,000 headers, and pipelined requests may have so many.
 */
function forwardedFor(rawHeaders: readonly string[]): string[] {
  return rawHeaders.flatMap((name, index) =>
    index % 2 === 0 && name.toLowerCase() === "x-forwarded-for" ? rawHeaders[index + 1]!.split(",") : [],
  );
}

/** Headers of requests that a proxy has forwarded, or that a web page has sent. */
const INDIRECT = /^(forwarded|origin|via|x-forwarded-.*|x-real-ip)$/;

/** Returns whether a program on this machine has sent the request. Excludes browsers and proxies. */
export function isSentFromThisMachine({ socket, headers }: IncomingMessage): boolean {
  const address = parseAddress(socket.remoteAddress ?? "") ?? "";
  const isLoopback = address === "::1" || address.startsWith("127.");
  return isLoopback && !Object.keys(headers).some((name) => INDIRECT.test(name));
}

/** Throws a one-line `Error` that begins with the flag if an item is neither an address nor a CIDR block. */
export function parseProxies(items: readonly string[]): BlockList {
  const list = new BlockList();
  for (const item of items) {
    const [text = "", prefix, ...rest] = item.split("/");
    const address = isIP(text) ? parseAddress(text) : undefined;
    const family = isIP(text) === 6 ? "ipv6" : "ipv4";
    const bits = family === "ipv6" ? 128 : 32;
    const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
    // Reject blocks of IPv4-mapped addresses. They would never match, because such addresses are converted to
    // IPv4.
    const isMapped = family === "ipv6" && address !== undefined && !isIPv6(address);
    if (address === undefined || isMapped || rest.length > 0 || !(length <= bits)) {
      throw new Error(
        `--trusted-proxies: must be IP addresses or CIDR blocks such as 10.0.0.0/8,::1, not ${JSON.stringify(item)}`,
      );
    }
    list.addSubnet(address, length, family);
  }
  return list;
}

/** Converts an IPv4-mapped address to IPv4. Returns undefined for text that is not an address. */
function parseAddress(text: string): string | undefined {
  // A link-local address may have a zone, such as `fe80::1%eth0`.
  const [address = ""] = text.split("%", 1);
  if (!isIPv6(address)) return isIP(address) === 4 ? address : undefined;
  // The URL parser converts the address to its canonical form: hexadecimal, in lower case, with compressed
  // zeros.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical);
  if (!mapped) return canonical;
  const [high, low] = mapped.slice(1).map((group) => Number.parseInt(group, 16)) as [number, number];
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/** Removes the port that some proxies append: `203.0.113.1:4711` or `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  return /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d{1,5}$/, "$1");
}

function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = "", tail] = address.split("::");
  const groups = head === "" ? [] : head.split(":");
  if (tail !== undefined) {
    const after = tail === "" ? [] : tail.split(":");
    while (groups.length + after.length < 8) groups.push("0");
    groups.push(...after);
  }
  return `${groups.slice(0, 4).join(":")}::/64`;
}
