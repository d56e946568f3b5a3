/** Starts the load process and sends tasks to it. */
import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { PATHS } from "../paths.js";
import type { Crowd, CrowdLoad } from "./crowd.js";
import type { JobLoad, Jobs } from "./jobs.js";
import type { OpenLoad, OpenResult } from "./open.js";
import type { Exchanges, PairLoad } from "./pairs.js";
import type { RequestLoad, Sample } from "./requests.js";

export class Generator {
  private readonly child: ChildProcess = fork(join(PATHS.build, "load/main.js"), {
    serialization: "advanced",
  });

  run(load: RequestLoad): Promise<Sample>;
  run(load: PairLoad): Promise<Exchanges>;
  run(load: CrowdLoad): Promise<Crowd>;
  run(load: OpenLoad): Promise<OpenResult>;
  run(load: JobLoad): Promise<Jobs>;
  run(load: RequestLoad | PairLoad | CrowdLoad | OpenLoad | JobLoad): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const onExit = (code: number | null) => reject(new Error(`the load process exited with ${code}`));
      this.child.once("exit", onExit);
      this.child.once("message", (message: { result?: unknown; error?: string }) => {
        this.child.off("exit", onExit);
        if (message.error === undefined) resolve(message.result);
        else reject(new Error(message.error));
      });
      this.child.send(load);
    });
  }

  close(): void {
    if (this.child.connected) this.child.disconnect();
  }
}
