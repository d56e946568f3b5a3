/** The daemon under Node's permission model, as docs/running-as-a-service.md describes it. */
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMAND } from "../harness/daemon.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

const page = readFileSync(resolve(import.meta.dirname, "../../docs/running-as-a-service.md"), "utf8");
const [, documented = ""] = page.match(/^Environment="NODE_OPTIONS=(.+)"$/m) ?? [];
const optionsFor = (folder: string) => documented.replace("/var/lib/wireroom", folder);

describe("under the permission model, a process with the documented options", () => {
  it("serves, stores its data, and stops cleanly", async () => {
    expect(documented).toContain("permission");
    const folder = new TemporaryFolder("wireroom-permissions-").path;
    const child = spawn(process.execPath, [COMMAND, "daemon", "--port", "0"], {
      env: { ...process.env, NODE_OPTIONS: optionsFor(folder), WIREROOM_DATA_DIR: folder },
    });
    let output = "";
    let log = "";
    const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
    const ready = new Promise<string>((resolve, reject) => {
      child.stdout.on("data", (chunk) => {
        output += chunk;
        if (output.includes("\n")) resolve(JSON.parse(output).listen);
      });
      child.once("exit", () => reject(new Error(log)));
    });
    child.stderr.on("data", (chunk) => (log += chunk));
    const origin = await ready;
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    const signUp = await fetch(`${origin}/identity/sign-up`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "a@example.com", password: "correct horse battery" }),
    });
    expect(signUp.status).toBeLessThan(300);
    child.kill("SIGTERM");
    expect(await exited).toBe(0);
    expect(log).not.toContain("ERR_ACCESS_DENIED");
  });

  it("names what is denied", () => {
    const folder = new TemporaryFolder("wireroom-permissions-").path;
    const { stderr } = spawnSync(process.execPath, [COMMAND, "up", "--port", "0"], {
      env: { ...process.env, NODE_OPTIONS: optionsFor(folder), WIREROOM_DATA_DIR: folder },
      encoding: "utf8",
    });
    expect(stderr).toContain("the permission model of Node denies ChildProcess");
  });

  it("can neither write elsewhere nor start a program", () => {
    const folder = new TemporaryFolder("wireroom-permissions-").path;
    const attempts = [
      `require("node:fs").writeFileSync(${JSON.stringify(join(folder, "../elsewhere"))}, "x")`,
      `require("node:child_process").execSync("id")`,
    ];
    for (const attempt of attempts) {
      const { stderr, status } = spawnSync(process.execPath, ["--eval", attempt], {
        env: { ...process.env, NODE_OPTIONS: optionsFor(folder) },
        encoding: "utf8",
      });
      expect([status, stderr]).toEqual([1, expect.stringContaining("ERR_ACCESS_DENIED")]);
    }
  });
});
