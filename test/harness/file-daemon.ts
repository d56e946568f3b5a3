/** The daemon of a test file, and agents on it. */
import { afterAll } from "vitest";
import { type AgentClient, type DaemonOptions, NO_LIMITS, startDaemon, type TestDaemon } from "./daemon.js";

/**
 * Starts a daemon with these agents; it stops after the tests of the file.
 *
 * @example
 * ```ts
 * const { daemon, alice, bob } = await fileDaemon(["alice", "bob"]);
 * ```
 */
export async function fileDaemon<Slug extends string = never>(
  slugs: readonly Slug[] = [],
  options: DaemonOptions = { args: NO_LIMITS },
): Promise<{ daemon: TestDaemon } & Record<Slug, AgentClient>> {
  const daemon = await startDaemon(options);
  afterAll(() => daemon.stop());
  const agents = {} as Record<Slug, AgentClient>;
  for (const slug of slugs) agents[slug] = await daemon.agent(slug);
  return { daemon, ...agents };
}
