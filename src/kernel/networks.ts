/** Networks that contain a request's source. A source is an IPv4 address or an IPv6 /64 network. */

/**
 * Returns the networks that contain a source, from the widest to the source itself: /48, /56 and /64 for
 * IPv6, /24 and the address for IPv4. One customer may control a whole /48 (RFC 6177) or many neighbouring
 * IPv4 addresses. Any other text is returned as its only network.
 */
export function networksOf(source: string): readonly string[] {
  const [, network, third] = /^((?:\d+\.){3})(\d+)$/.exec(source) ?? [];
  if (network !== undefined && third !== undefined) return [`${network}0/24`, source];
  const [, wide, fourth] = /^([\da-f:]+):([\da-f]{1,4})::\/64$/.exec(source) ?? [];
  if (wide === undefined || fourth === undefined) return [source];
  const middle = (Number.parseInt(fourth, 16) & 0xff00).toString(16);
  return [`${wide}::/48`, `${wide}:${middle}::/56`, source];
}
