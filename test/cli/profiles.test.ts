import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changeProfile, readProfile } from "../../cli/profiles/profile.js";
import { EMBEDDED_IDENTITY, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { Human } from "../harness/human.js";
import { runInProcess } from "../harness/in-process.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

/** The built profile module, which separate processes can import. */
const MODULE = new URL("../../dist/cli/profiles/profile.js", import.meta.url).href;

/**
 * Starts a process that increments a number in the profile `times` times; with `hang` it stops during the
 * last one.
 */
function startCounter(file: string, times: number, hang = false) {
  const script = `
    const { changeProfile } = await import(${JSON.stringify(MODULE)});
    for (let i = 1; i <= ${times}; i++) {
      await changeProfile(${JSON.stringify(file)}, async (profile) => {
        const count = Number(profile.handle ?? 0);
        await new Promise((resolve) => setTimeout(resolve, 1));
        if (${hang} && i === ${times}) {
          console.log("hangs");
          await new Promise((resolve) => setTimeout(resolve, 60_000));
        }
        return { ...profile, handle: String(count + 1) };
      });
    }`;
  return spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

describe("a profile", () => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await startDaemon(EMBEDDED_IDENTITY);
  });
  afterAll(() => daemon.stop());

  // [C-profile-file]
  it("is a file that only its owner can read, in a folder with the same permissions", async () => {
    const ada = new Human(() => daemon);
    await ada.signUpAndLogIn();
    const file = ada.profilePath();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(file))).mode & 0o777).toBe(0o700);
    expect(await readdir(dirname(file))).toEqual(["default.json"]);
  });

  // [C-plain-http]
  it.each([
    ["an API key", ["limits"], { WIREROOM_API_KEY: "wr_none" }],
    ["an ID token", ["handle", "list", "--json"], { WIREROOM_ID_TOKEN: "none" }],
    ["a password", ["login", "--email", "ada@example.com"], { WIREROOM_PASSWORD: "none" }],
    ["a new password", ["signup", "--email", "ada@example.com"], { WIREROOM_PASSWORD: "none" }],
  ])("warns once about %s on plain HTTP, unless the daemon is on this machine", async (_, args, env) => {
    const warnings = async (url: string) => {
      const { code, stderr } = await runInProcess(args, { env: { ...env, WIREROOM_URL: url } });
      expect(code).not.toBe(0);
      return stderr.split("is not encrypted").length - 1;
    };
    expect(await warnings(daemon.base.replace("127.0.0.1", "0.0.0.0"))).toBe(1);
    expect(await warnings(daemon.base)).toBe(0);
  });

  // [C-profile-file]
  it("with invalid content is reported as no profile", async () => {
    const ada = new Human(() => daemon);
    const file = ada.profilePath();
    await mkdir(dirname(file), { recursive: true });
    const wrong = [
      "",
      "{",
      "[]",
      "null",
      '{"keys": [1]}',
      '{"keys": {"alice": 1}}',
      '{"url": 4}',
      '{"signIn": "no"}',
    ];
    for (const text of wrong) {
      await writeFile(file, text);
      await expect(readProfile(file), text).rejects.toThrow("is not a valid profile");
    }
    const { code, stderr } = await ada.run(["whoami"]);
    expect(code).toBe(1);
    expect(stderr).toContain(file);
  });
});

describe("the lock of a profile", () => {
  // [C-profile-lock]
  it("lets one process at a time change the profile, also after processes were killed", async () => {
    const file = join(new TemporaryFolder("wireroom-lock-").path, "default.json");
    const killed = [startCounter(file, 1, true), startCounter(file, 1, true), startCounter(file, 1, true)];
    await Promise.race(killed.map(({ stdout }) => once(stdout, "data")));
    await Promise.all(
      killed.map(async (child) => {
        const exited = once(child, "exit");
        child.kill("SIGKILL");
        await exited;
      }),
    );
    // The killed processes have left the lock and their claims behind.
    const left = (await readdir(dirname(file))).filter((name) => name.includes(".lock-"));
    expect(left.length).toBeGreaterThan(0);
    const processes = Array.from({ length: 4 }, () => startCounter(file, 15));
    const codes = await Promise.all(processes.map((child) => once(child, "exit").then(([code]) => code)));
    expect(codes).toEqual([0, 0, 0, 0]);
    expect(await readProfile(file)).toEqual({ handle: "60" });
    expect(await readdir(dirname(file))).toEqual(["default.json"]);
  });

  // [C-profile-lock]
  it("is not affected by a profile whose name looks like a lock file", async () => {
    const folder = new TemporaryFolder("wireroom-lock-").path;
    const strange = join(folder, "default.json.lock-1.json");
    await changeProfile(strange, () => ({ handle: "strange" }));
    await changeProfile(join(folder, "default.json"), () => ({ handle: "alice" }));
    expect(await readProfile(strange)).toEqual({ handle: "strange" });
  });
});
