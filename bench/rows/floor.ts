/** The Koa floor, as a side of a comparison; or, with `--against`, another build of the daemon in its place. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PlannedRequest } from "../load/requests.js";
import type { Contender } from "../measure/compare.js";
import type { Lab } from "../measure/lab.js";
import { PATHS } from "../paths.js";
import { startNodeServer } from "../servers/process.js";

/** @param memory bytes that every GET answers; a POST is echoed */
export async function koaFloor(lab: Lab, requests: PlannedRequest[], memory?: string): Promise<Contender> {
  const { against } = lab.settings;
  if (against !== undefined) {
    return { name: "the other build", server: await lab.daemon(10_000, { program: against }), requests };
  }
  const args = [join(PATHS.build, "baselines/koa-floor.js")];
  if (memory !== undefined) {
    const file = join(await lab.folder(), "memory");
    await writeFile(file, memory);
    args.push(file);
  }
  const server = await startNodeServer(args);
  lab.atEnd(() => server.stop());
  return { name: memory === undefined ? "Koa, echo" : "Koa, from memory", server, requests };
}
