/** How long a metadata document is used, and which addresses are on the public internet. */
import { describe, expect, it } from "vitest";
import { freshnessSeconds } from "../../daemon/identity/provider/clients/metadata-documents.js";
import { isPublicAddress } from "../../daemon/identity/provider/clients/public-addresses.js";

describe("the lifetime of a response", () => {
  /** The end of a minute, because the header has no fractions of a second. */
  const NOW = Math.ceil(Date.now() / 60_000) * 60_000;
  const at = (seconds: number) => new Date(NOW + seconds * 1_000).toUTCString();

  // [D13-document-cache]
  it.each<[number, Record<string, string | string[]>]>([
    [60, { "cache-control": "max-age=60" }],
    [60, { "cache-control": 'Max-Age="60"' }],
    [50, { "cache-control": "max-age=60", age: "10" }],
    [30, { "cache-control": "max-age=60, s-maxage=30" }],
    [86_400, { "cache-control": "max-age=31536000" }],
    [0, { "cache-control": "max-age=60, no-store" }],
    [0, { "cache-control": "NO-CACHE" }],
    [0, { "cache-control": 'no-cache="set-cookie"' }],
    [0, { "cache-control": ["max-age=60", "private"] }],
    [0, { "cache-control": "max-age=-1" }],
    [0, { "cache-control": "max-age=x", expires: at(60) }],
    [0, { "cache-control": "xmax-age=60" }],
    [0, { "cache-control": "max-age=60", age: "90" }],
    [0, { "cache-control": "max-age=60", vary: "*" }],
    [60, { expires: at(60), date: at(0) }],
    [90, { expires: at(60), date: at(-30) }],
    [0, { expires: at(-120) }],
    [0, { expires: "0" }],
    [0, {}],
  ])("is %i s with %j", (seconds, headers) => {
    expect(freshnessSeconds(headers)).toBe(seconds);
  });
});

describe("an address", () => {
  // [D13-document-guard]
  it.each([
    ...["0.0.0.0", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.254"],
    ...["169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1"],
    ...["192.168.0.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1"],
    ...["239.255.255.255", "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:8.8.8.8", "::ffff:127.0.0.1"],
    ...[
      "::127.0.0.1",
      "64:ff9b::808:808",
      "64:ff9b:1::1",
      "100::1",
      "2001::1",
      "2001:db8::1",
      "2002:7f00:1::",
    ],
    ...["3fff::1", "5f00::1", "fc00::1", "fd12::1", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "x", ""],
  ])("%s is not on the public internet", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([
    ...["1.1.1.1", "8.8.8.8", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1", "192.167.0.1"],
    ...[
      "198.17.255.255",
      "198.20.0.1",
      "223.255.255.255",
      "2606:4700::1111",
      "2a00:1450::1",
      "2001:4860::8888",
    ],
  ])("%s is on the public internet", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});
