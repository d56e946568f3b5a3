/** The package as it is installed: what `npm pack` packs, and beside it what `dependencies` names. */
import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { Folder } from "../harness/folder.js";

const root = resolve(import.meta.dirname, "../..");
const { dependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));

const execute = promisify(execFile);

/** The `dist` of the packed package. */
let dist: string;

beforeAll(async () => {
  const folder = new Folder("wireroom-packed-").path;
  const { stdout } = await execute("npm", ["pack", "--json", "--pack-destination", folder], { cwd: root });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  await execute("tar", ["-xzf", join(folder, filename), "-C", folder]);
  dist = join(folder, "package/dist");
});

/** Installs it into a new folder, where packages are as `put` says; gives what runs it. */
async function installed(put: (name: string, path: string) => Promise<void>) {
  const folder = new Folder("wireroom-package-").path;
  const modules = join(folder, "node_modules");
  await cp(dirname(dist), join(modules, "wireroom"), { recursive: true });
  for (const name of Object.keys(dependencies)) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await put(name, join(modules, name));
  }
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    WIREROOM_DATA_DIR: join(folder, "data"),
    WIREROOM_CONFIG_DIR: join(folder, "config"),
    WIREROOM_PORT: "0",
    WIREROOM_PASSWORD: "correct horse battery",
  };
  return (...args: string[]) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
      const command = join(modules, "wireroom/dist/cli/main.js");
      const child = execFile(process.execPath, [command, ...args], { env }, (_, stdout, stderr) =>
        done({ code: child.exitCode!, stdout, stderr }),
      );
    });
}

const linked = (name: string, path: string) => symlink(join(root, "node_modules", name), path);

/** As it is where the package manager did not run the package's script. */
async function withoutBinary(name: string, path: string): Promise<void> {
  if (name !== "sqlite3") return linked(name, path);
  await mkdir(path, { recursive: true });
  await writeFile(
    join(path, "index.js"),
    'throw new Error("Could not locate the bindings file. Tried:\\n → x");',
  );
}

describe("the installed package", () => {
  it("imports all of the packages that it depends on, and no others [C-package]", async () => {
    const files = (await readdir(dist, { recursive: true })).filter((file) => file.endsWith(".js"));
    const texts = await Promise.all(files.map((file) => readFile(join(dist, file), "utf8")));
    const imports =
      /^(?:import|export)\b[^;"]*\bfrom "([^."][^"]*)"|^import "([^."][^"]*)"|\bimport\("([^."][^"]*)"\)/gm;
    const packages = new Set(
      texts
        .flatMap((text) => [...text.matchAll(imports)].map(([, ...names]) => names.find(Boolean)!))
        .flatMap((name) => (isBuiltin(name) ? [] : (/^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? []))),
    );
    expect([...packages].sort()).toEqual(Object.keys(dependencies).sort());
  });

  it("takes a newcomer from nothing to the first wire [C-package]", async () => {
    const run = await installed(linked);
    const json = async (...args: string[]) => {
      const { code, stdout, stderr } = await run(...args, "--json");
      expect([args[0], code, stderr]).toEqual([args[0], 0, ""]);
      return JSON.parse(stdout);
    };
    const { log_file } = await json("up");
    try {
      await json("signup", "--email", "ada@example.com");
      const [, code] = (await readFile(log_file, "utf8")).match(/"code":"(\d{6})"/)!;
      await json("signup", "--email", "ada@example.com", "--code", code!);
      await json("handle", "create", "ada");
      await json("key", "issue", "ada", "--save");
      const { id } = await json("send", "@ada", "hello");
      expect((await json("inbox")).wires).toMatchObject([{ id, text_body: "hello" }]);
      expect((await json("doctor")).healthy).toBe(true);
    } finally {
      await run("down");
    }
  }, 120_000);

  it("says what to do where the database driver was left without its binary [C-package]", async () => {
    const run = await installed(withoutBinary);
    for (const command of ["up", "daemon", "status", "doctor", "operator list"]) {
      const { code, stdout, stderr } = await run(...command.split(" "));
      expect([command, code, stdout]).toEqual([command, 1, ""]);
      expect(stderr).toContain("sqlite3, is not in place: Could not locate the bindings file");
      expect(stderr).toContain("npm rebuild sqlite3");
      expect(stderr).not.toContain("    at ");
    }
    expect((await run("signup", "--help")).code).toBe(0);
    // Whoever speaks to a daemon elsewhere can do without.
    expect((await run("inbox", "--url", "http://127.0.0.1:9/v1")).stderr).toContain("NO_CREDENTIALS");
  });
});

describe("npx in a checkout", () => {
  it("finds the command, also where it was asked for before that was built [C-package]", async () => {
    const cache = new Folder("wireroom-npx-").path;
    const env = { ...process.env, npm_config_cache: cache, npm_config_offline: "true" };
    const version = () => execute("npx", ["--no", "--", "wireroom", "--version"], { cwd: root, env });
    await version();
    // What it keeps of a package whose command is not there.
    for (const kept of await readdir(join(cache, "_npx"))) {
      await rm(join(cache, "_npx", kept, "node_modules/.bin"), { recursive: true });
    }
    expect((await version()).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
