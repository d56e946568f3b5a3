import { type BigIntStats, fstatSync } from "node:fs";

/**
 * Returns what a standard stream is. It asks for `bigint`, because the resolver of Node 20 follows no symbolic link to a package after
 * the numbers of a pipe were read: `realpathSync` looks at the last ones.
 */
export function statsOf(fd: number): BigIntStats {
  return fstatSync(fd, { bigint: true });
}
