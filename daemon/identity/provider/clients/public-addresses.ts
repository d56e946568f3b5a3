import { BlockList, isIPv4, isIPv6 } from "node:net";

/**
 * IPv4 ranges outside the public internet: the IANA IPv4 Special-Purpose Address Registry, multicast, and the
 * reserved range, which includes the broadcast address.
 */
const SPECIAL_IPV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];
/**
 * The range of global unicast IPv6 addresses. All other addresses are special: loopback, unspecified,
 * IPv4-mapped, NAT64 (64:ff9b::/96 and 64:ff9b:1::/48), discard-only, SRv6, unique local, link-local,
 * site-local or multicast.
 */
const GLOBAL_IPV6 = "2000::/3";
/**
 * Special ranges within the global unicast range, from the IANA IPv6 Special-Purpose Address Registry. Teredo
 * (2001::/32) and 6to4 (2002::/16) are included because they embed IPv4 addresses.
 */
const SPECIAL_IPV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"];

const special = blockList([...SPECIAL_IPV4, ...SPECIAL_IPV6]);
const global = blockList([GLOBAL_IPV6]);

/**
 * Returns whether an address is on the public internet. The daemon fetches URLs chosen by strangers only from
 * public addresses.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special.check(address, "ipv4");
  // An address with a zone, such as `fe80::1%eth0`, is never public.
  if (!isIPv6(address) || address.includes("%")) return false;
  return global.check(address, "ipv6") && !special.check(address, "ipv6");
}

function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address, prefix] = range.split("/") as [string, string];
    list.addSubnet(address, Number(prefix), isIPv4(address) ? "ipv4" : "ipv6");
  }
  return list;
}
