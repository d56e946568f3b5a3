/** The source of a request is an IPv4 address, or a /64 network of IPv6. Wider networks contain it. */

/**
 * Returns the networks of a source from the widest to the source itself: /48, /56 and /64, or /24 and the
 * IPv4 address. A customer of a provider may have all of a /48 (RFC 6177), or many neighbouring IPv4
 * addresses. Any other text is its only network.
 */
export function networksOf(source: string): readonly string[] {
  const [, network, third] = /^((?:\d+\.){3})(\d+)$/.exec(source) ?? [];
  if (network !== undefined && third !== undefined) return [`${network}0/24`, source];
  const [, wide, fourth] = /^([\da-f:]+):([\da-f]{1,4})::\/64$/.exec(source) ?? [];
  if (wide === undefined || fourth === undefined) return [source];
  const middle = (Number.parseInt(fourth, 16) & 0xff00).toString(16);
  return [`${wide}::/48`, `${wide}:${middle}::/56`, source];
}
