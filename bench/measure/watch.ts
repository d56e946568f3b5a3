/** Samples a daemon under load every two seconds: its memory, its files, and its retention. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { request } from "undici";
import type { Server } from "../servers/process.js";
import { memoryOf } from "../servers/usage.js";

const EVERY_MS = 2_000;
const MIB = 1_024 * 1_024;

export interface Point {
  /** Minutes since the start of the watch. */
  minutes: number;
  /** MiB of memory. */
  memory: number;
  /** MiB of the database with its WAL. */
  file: number;
  /** Seconds by which the deletion of old wires is late; 0 while there is nothing to delete. */
  lag: number;
  /** Number of wires that retention has deleted so far. */
  deleted: number;
}

/**
 * Starts to watch a daemon. Returns a function that stops the watch and returns all samples.
 * @param seen called with the latest sample once a minute
 */
export function watch(server: Server, seen?: (point: Point) => void): () => Promise<Point[]> {
  const startedMs = performance.now();
  const points: Point[] = [];
  let isStopped = false;
  const look = async () => {
    while (!isStopped) {
      const point = await pointOf(server, (performance.now() - startedMs) / 60_000);
      if (Math.floor(point.minutes) > Math.floor(points.at(-1)?.minutes ?? 0)) seen?.(point);
      points.push(point);
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
  };
  const looking = look();
  return async () => {
    isStopped = true;
    await looking;
    return points;
  };
}

async function pointOf({ url, pid, folder }: Server, minutes: number): Promise<Point> {
  const { body } = await request(`${url}/metrics`);
  const metrics = await body.text();
  const metric = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(metrics)?.[1]);
  return {
    minutes,
    memory: (memoryOf(pid) ?? Number.NaN) / MIB,
    file: sizeOf(folder!) / MIB,
    lag: metric("wireroom_retention_lag_seconds"),
    deleted: metric("wireroom_retention_deleted_total"),
  };
}

/** Returns the size of the database with its WAL. The WAL is missing until the first write. */
function sizeOf(folder: string): number {
  const files = ["wireroom.db", "wireroom.db-wal"].map((name) => join(folder, name));
  return files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
}
