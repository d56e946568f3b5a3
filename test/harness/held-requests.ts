/** Helpers for tests of held requests: those with `wait` that get no response before something is new. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { Body, JsonResponse, TestDaemon } from "./daemon.js";

/** Returns the number of requests that the daemon holds. */
export async function countHeld({ origin }: TestDaemon): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  return Number(/^wireroom_long_polls(?:\{.*\})? (\d+)$/m.exec(text)?.[1]);
}

/**
 * Sends a request and waits until the daemon holds it. Returns its response as a function, because a promise
 * would be awaited.
 */
export async function hold<Reply = JsonResponse>(
  daemon: TestDaemon,
  request: () => Promise<Reply>,
): Promise<() => Promise<Reply>> {
  // The daemon collects its metrics every 100 ms.
  await sleep(110);
  const before = await countHeld(daemon);
  const reply = request();
  reply.catch(() => undefined);
  await expect.poll(() => countHeld(daemon), { interval: 20, timeout: 20_000 }).toBe(before + 1);
  return () => reply;
}

export const textsOf = ({ wires }: Body): string[] => wires.map((wire: Body) => wire.text_body);
export const idsOf = ({ wires }: Body): string[] => wires.map((wire: Body) => wire.id);
