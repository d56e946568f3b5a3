/** The package as it is installed: its bundle, and beside it what `dependencies` names. */
import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { Folder } from "../harness/folder.js";

const root = resolve(import.meta.dirname, "../..");
const { dependencies, devDependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));

/** Installs it into a new folder, where packages are as `put` says; gives what runs it. */
async function installed(put: (name: string, path: string) => Promise<void>) {
  const folder = new Folder("wireroom-package-").path;
  const modules = join(folder, "node_modules");
  await cp(join(root, "dist"), join(modules, "wireroom/dist"), { recursive: true });
  await cp(join(root, "package.json"), join(modules, "wireroom/package.json"));
  for (const name of Object.keys(dependencies)) await put(name, join(modules, name));
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
      const command = join(modules, "wireroom/dist/wireroom.js");
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
  it("imports nothing but what it has installed [C-package]", async () => {
    const files = (await readdir(join(root, "dist"))).filter((file) => file.endsWith(".js"));
    const texts = await Promise.all(files.map((file) => readFile(join(root, "dist", file), "utf8")));
    const imported = texts.flatMap((text) =>
      [...text.matchAll(/^(?:import|export)\b[^;"]*"([^."][^"]*)"|\bimport\("([^."][^"]*)"\)/gm)].map(
        ([, static_, dynamic]) => static_ ?? dynamic!,
      ),
    );
    expect(imported).toContain("sqlite3");
    const foreign = new Set(imported.filter((name) => !isBuiltin(name)));
    // Ink looks for its debugger where it is told to debug.
    foreign.delete("react-devtools-core");
    expect([...foreign].sort()).toEqual(Object.keys(dependencies).sort());
    expect(Object.keys(devDependencies)).not.toContain("sqlite3");
  });

  it("holds the licences of the packages that are bundled [C-package]", async () => {
    const licences = await readFile(join(root, "dist/licences.txt"), "utf8");
    for (const name of ["koa", "ink", "react", "oidc-provider", "pg", "commander"])
      expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(MIT\\)$`, "m"));
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
    const version = () =>
      promisify(execFile)("npx", ["--no", "--", "wireroom", "--version"], { cwd: root, env });
    await version();
    // What it keeps of a package whose command is not there.
    for (const kept of await readdir(join(cache, "_npx"))) {
      await rm(join(cache, "_npx", kept, "node_modules/.bin"), { recursive: true });
    }
    expect((await version()).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
