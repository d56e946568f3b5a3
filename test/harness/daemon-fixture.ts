/** Starts the daemon of a test file with agents on it. */
import { afterAll } from "vitest";
import { type AgentClient, type DaemonOptions, NO_LIMITS, startDaemon, type TestDaemon } from "./daemon.js";

/**
 * Starts a daemon and creates these agents. The daemon stops after the tests of the file.
 *
 * @example
 * ```ts
 * const { daemon, alice, bob } = await daemonFixture(["alice", "bob"]);
 * ```
 */
export async function daemonFixture<Slug extends string = never>(
  slugs: readonly Slug[] = [],
  options: DaemonOptions = { args: NO_LIMITS },
): Promise<{ daemon: TestDaemon } & Record<Slug, AgentClient>> {
  const daemon = await startDaemon(options);
  afterAll(() => daemon.stop());
  const agents = {} as Record<Slug, AgentClient>;
  for (const slug of slugs) agents[slug] = await daemon.createAgent(slug);
  return { daemon, ...agents };
}

/**
 * Like `daemonFixture`, for tests that neither end the daemon nor look at its process, because several
 * daemons share a process.
 */
export function hostedFixture<Slug extends string = never>(
  slugs: readonly Slug[] = [],
  options: DaemonOptions = { args: NO_LIMITS },
): Promise<{ daemon: TestDaemon } & Record<Slug, AgentClient>> {
  return daemonFixture(slugs, { ...options, isHosted: true });
}
