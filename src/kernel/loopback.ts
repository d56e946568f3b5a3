/**
 * Host names of this machine. Browsers treat them as different hosts, although they reach the same server.
 */
export const LOOPBACK_NAMES: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** Replaces a loopback origin's host with another loopback name. Returns any other origin unchanged. */
export function withLoopbackName(origin: string, hostname: string): string {
  const url = new URL(origin);
  if (LOOPBACK_NAMES.includes(url.hostname) && LOOPBACK_NAMES.includes(hostname)) url.hostname = hostname;
  return url.origin;
}
