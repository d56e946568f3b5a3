import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changeProfile, readProfile } from "../../cli/profiles/profile.js";
import { startDaemon, type TestDaemon } from "../harness/daemon.js";
import { Folder } from "../harness/folder.js";
import { Person } from "../harness/person.js";

/** The module that keeps profiles, as processes of their own can load it. */
const MODULE = new URL("../../dist/cli/profiles/profile.js", import.meta.url).href;

/** A process that adds to a number in the profile, that many times; with `hang` it stops in the middle of the last one. */
function counting(file: string, times: number, hang = false) {
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
    daemon = await startDaemon({ embedded: true });
  });
  afterAll(() => daemon.stop());

  it("is a file for its owner's eyes alone, in a folder for them alone [C-profile-file]", async () => {
    const ada = new Person(() => daemon);
    await ada.signUp();
    const file = ada.profileFile();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(file))).mode & 0o777).toBe(0o700);
    expect(await readdir(dirname(file))).toEqual(["default.json"]);
  });

  it("that no version of the command has written is said to be none [C-profile-file]", async () => {
    const ada = new Person(() => daemon);
    const file = ada.profileFile();
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
      await expect(readProfile(file), text).rejects.toThrow("is no profile any more");
    }
    const { code, stderr } = await ada.run(["whoami"]);
    expect(code).toBe(1);
    expect(stderr).toContain(file);
  });
});

describe("the lock", () => {
  it("lets one process at a time change a profile, whatever killed ones have left behind [C-profile-lock]", async () => {
    const file = join(new Folder("wireroom-lock-").path, "default.json");
    const killed = [counting(file, 1, true), counting(file, 1, true), counting(file, 1, true)];
    await Promise.race(killed.map(({ stdout }) => once(stdout, "data")));
    await Promise.all(
      killed.map(async (child) => {
        const exited = once(child, "exit");
        child.kill("SIGKILL");
        await exited;
      }),
    );
    // Claims of those who waited are left over, and that of the one who held it.
    const left = (await readdir(dirname(file))).filter((name) => name.includes(".lock-"));
    expect(left.length).toBeGreaterThan(0);
    const processes = Array.from({ length: 4 }, () => counting(file, 15));
    const codes = await Promise.all(processes.map((child) => once(child, "exit").then(([code]) => code)));
    expect(codes).toEqual([0, 0, 0, 0]);
    expect(await readProfile(file)).toEqual({ handle: "60" });
    expect(await readdir(dirname(file))).toEqual(["default.json"]);
  });

  it("is not confused by a profile whose name looks like a claim [C-profile-lock]", async () => {
    const folder = new Folder("wireroom-lock-").path;
    const strange = join(folder, "default.json.lock-1.json");
    await changeProfile(strange, () => ({ handle: "strange" }));
    await changeProfile(join(folder, "default.json"), () => ({ handle: "alice" }));
    expect(await readProfile(strange)).toEqual({ handle: "strange" });
  });
});
