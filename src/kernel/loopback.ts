/** The usual host names of this machine in URLs. A URL with one of them is often written with another. */
export const LOOPBACK_NAMES: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** Returns a loopback origin with another loopback name as its host. Returns any other origin unchanged. */
export function withLoopbackName(origin: string, hostname: string): string {
  const url = new URL(origin);
  if (LOOPBACK_NAMES.includes(url.hostname) && LOOPBACK_NAMES.includes(hostname)) url.hostname = hostname;
  return url.origin;
}
