/** The Koa baseline of a comparison. With `--against`, another build of the daemon replaces it. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PlannedRequest } from "../load/requests.js";
import type { Variant } from "../measure/compare.js";
import type { BenchEnvironment } from "../measure/environment.js";
import { PATHS } from "../paths.js";
import { startNodeServer } from "../servers/process.js";

/** Starts the Koa baseline. @param memory the response body of every GET; the body of a POST is echoed */
export async function koaBaseline(
  bench: BenchEnvironment,
  requests: PlannedRequest[],
  memory?: string,
): Promise<Variant> {
  const { against } = bench.settings;
  if (against !== undefined) {
    return { name: "the other build", server: await bench.daemon(10_000, { program: against }), requests };
  }
  const args = [join(PATHS.build, "baselines/koa-floor.js")];
  if (memory !== undefined) {
    const file = join(await bench.folder(), "memory");
    await writeFile(file, memory);
    args.push(file);
  }
  const server = await startNodeServer(args);
  bench.atEnd(() => server.stop());
  return { name: memory === undefined ? "Koa, echo" : "Koa, from memory", server, requests };
}
