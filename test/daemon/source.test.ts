import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { createSourceOf } from "../../daemon/http/source.js";

function source(proxies: string[], remoteAddress: string | undefined, ...forwardedFor: string[]): string {
  const rawHeaders = forwardedFor.flatMap((value) => ["X-Forwarded-For", value]);
  return createSourceOf(proxies)({ socket: { remoteAddress }, rawHeaders } as unknown as IncomingMessage);
}

describe("the source of a request", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["0:0:0:0:0:FFFF:cb00:7107", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2::9", "2001:db8:1:2::/64"],
    ["2001:db8::9", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["64:ff9b::203.0.113.7", "64:ff9b:0:0::/64"],
    [undefined, "0.0.0.0"],
  ])("is the IPv4 address, or the /64 network of the IPv6 address: %s", (peer, expected) => {
    expect(source([], peer)).toBe(expected);
  });

  // [D12-trusted-proxies]
  it("does not depend on X-Forwarded-For from a peer that is not a trusted proxy", () => {
    for (const proxies of [[], ["10.0.0.0/8"], ["::1"]])
      expect(source(proxies, "203.0.113.7", "198.51.100.1")).toBe("203.0.113.7");
  });

  // [D12-trusted-proxies]
  it.each([
    ["one hop", "198.51.100.1", "198.51.100.1"],
    ["forged addresses to the left", "192.0.2.66, 127.0.0.1, 198.51.100.1", "198.51.100.1"],
    ["trusted proxies to the right", "192.0.2.66, 198.51.100.1 , 10.1.1.1,10.2.2.2", "198.51.100.1"],
    ["a mapped proxy", "198.51.100.1, ::ffff:10.9.9.9", "198.51.100.1"],
    ["an IPv6 client", "2001:db8:1:2::1", "2001:db8:1:2::/64"],
    ["an IPv6 proxy", "198.51.100.1, 2001:db8:ffff::2", "198.51.100.1"],
    ["ports", "198.51.100.1:4711, [2001:db8:ffff::2]:80", "198.51.100.1"],
    ["an empty header", "", "10.0.0.1"],
    ["text that is no address", "198.51.100.1, unknown, 10.1.1.1", "10.1.1.1"],
    ["only trusted proxies", "10.3.3.3, 10.2.2.2", "10.3.3.3"],
  ])("is the right-most untrusted address behind trusted proxies: %s", (_, header, expected) => {
    expect(source(["10.0.0.0/8", "2001:db8:ffff::/48"], "10.0.0.1", header)).toBe(expected);
    expect(source(["10.0.0.0/8", "2001:db8:ffff::/48"], "::ffff:10.0.0.1", header)).toBe(expected);
  });

  it("is that of the proxy without the header, and the right-most of several headers", () => {
    expect(source(["10.0.0.1"], "10.0.0.1")).toBe("10.0.0.1");
    expect(source(["10.0.0.1"], "10.0.0.1", "192.0.2.66", "198.51.100.1")).toBe("198.51.100.1");
  });
});
