/** The installed package: the files of `npm pack`, with the packages of `dependencies`. */
import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { TemporaryFolder } from "../harness/temporary-folder.js";

const root = resolve(import.meta.dirname, "../..");
const { dependencies, peerDependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));

const execute = promisify(execFile);

/** The files of the packed package. */
let packed: string[];
/** Its `dist` folder. */
let dist: string;

beforeAll(async () => {
  const folder = new TemporaryFolder("wireroom-packed-").path;
  const { stdout } = await execute("npm", ["pack", "--json", "--pack-destination", folder], { cwd: root });
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  packed = files.map(({ path }) => path);
  await execute("tar", ["-xzf", join(folder, filename), "-C", folder]);
  dist = join(folder, "package/dist");
});

/**
 * Installs the package into a new folder, with dependencies placed by `put`. Returns a function that runs its
 * command with additional variables.
 */
async function installPackage(
  put: (name: string, path: string) => Promise<void>,
  variables: Record<string, string> = {},
) {
  const folder = new TemporaryFolder("wireroom-package-").path;
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
    ...variables,
  };
  return (...args: string[]) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
      const command = join(modules, "wireroom/dist/cli/main.js");
      const child = execFile(process.execPath, [command, ...args], { env }, (_, stdout, stderr) =>
        done({ code: child.exitCode!, stdout, stderr }),
      );
    });
}

const linkPackage = (name: string, path: string) => symlink(join(root, "node_modules", name), path);

/** Copies a package without its native binary, as if its install script had not run. */
async function withoutBinary(name: string, path: string): Promise<void> {
  if (name !== "sqlite3") return linkPackage(name, path);
  await mkdir(path, { recursive: true });
  await writeFile(
    join(path, "index.js"),
    'throw new Error("Could not locate the bindings file. Tried:\\n → x");',
  );
}

/** Files beside the code of `dist`. */
const OTHER_FILES = [
  /^(LICENSE|README\.md|package\.json)$/,
  /^dist\/console\/\w[\w.-]*$/,
  /^dist\/console\/assets\/[\w.-]+$/,
  /^dist\/data\/(common-passwords|completion)\.(LICENSE|bash|fish|ps1|txt|zsh)$/,
  /^dist\/data\/bundled-packages\.txt$/,
  /^docs\/wireroom\.1$/,
  /^docs\/((cli|guide|specification)\/)?[\w.-]+\.md$/,
  /^integrations\/(skill\/SKILL\.md|opencode\/wireroom\.js)$/,
  /^docs\/deploy\/([\w-]+\/)?[\w.@-]+$/,
];

/** Returns the files of the package that these import, and what those import. */
async function withImports(...entries: string[]): Promise<Set<string>> {
  const found = new Set(entries);
  for (const file of found) {
    const code = await readFile(join(dirname(dist), file), "utf8");
    for (const [, path] of code.matchAll(/(?:\bfrom|\bimport)\s*\(?"(\.[^"]+)"/g))
      found.add(join(dirname(file), path!));
  }
  return found;
}

describe("the installed package", () => {
  // [C-package]
  it("contains the code that the command and its threads load, its data and documents, and no other files", async () => {
    const code = await withImports("dist/cli/main.js", "dist/src/service/validation/worker.js");
    expect([...code].filter((file) => !packed.includes(file))).toEqual([]);
    const others = packed.filter((file) => !code.has(file));
    expect(others.filter((file) => !OTHER_FILES.some((pattern) => pattern.test(file)))).toEqual([]);
  });

  // [C-package]
  it("imports all of its dependencies, and no other packages", async () => {
    const files = (await readdir(dist, { recursive: true })).filter((file) => file.endsWith(".js"));
    const texts = await Promise.all(files.map((file) => readFile(join(dist, file), "utf8")));
    const imports =
      /^(?:import|export)\b[^;"]*\bfrom "([^."][^"]*)"|^import "([^."][^"]*)"|\bimport\("([^."][^"]*)"\)/gm;
    const packages = new Set(
      texts
        .flatMap((text) => [...text.matchAll(imports)].map(([, ...names]) => names.find(Boolean)!))
        .flatMap((name) => (isBuiltin(name) ? [] : (/^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? []))),
    );
    // A debugging aid that Ink loads only if it is installed.
    packages.delete("react-devtools-core");
    expect([...packages].sort()).toEqual(Object.keys({ ...dependencies, ...peerDependencies }).sort());
  });

  // [C-package]
  it("brings few packages (docs/decisions/032-install-few-packages.md)", async () => {
    const { packages } = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8"));
    const installed = Object.entries<{ version: string; dev?: boolean }>(packages).filter(
      ([, { dev }]) => !dev,
    );
    const different = new Set(
      installed.map(([path, { version }]) => `${path.split("node_modules/").at(-1)} ${version}`),
    );
    // npm puts some of them into two places.
    expect(different.size).toBeLessThanOrEqual(150);
  });

  // [C-package]
  it("says which packages are missing for traces", async () => {
    const run = await installPackage(linkPackage, { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" });
    expect(await run("daemon")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("observability.md#traces"),
    });
  });

  // [C-package]
  it("runs all commands from an empty machine to the first wire", async () => {
    const run = await installPackage(linkPackage);
    const json = async (...args: string[]) => {
      const { code, stdout, stderr } = await run(...args, "--json");
      expect([args[0], code, stderr]).toEqual([args[0], 0, ""]);
      return JSON.parse(stdout);
    };
    const { log_file } = await json("up");
    try {
      await json("signup", "--email", "ada@example.com");
      // The daemon writes its log after it has responded.
      const logged = async () => /"code":"(\d{6})"/.exec(await readFile(log_file, "utf8"))?.[1];
      await expect.poll(logged).toBeDefined();
      const code = await logged();
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

  // [C-package]
  it("runs a daemon whose log is a pipe, and loads linked packages later", async () => {
    const data = new TemporaryFolder("wireroom-data-").path;
    const run = await installPackage(linkPackage, { WIREROOM_DATA_DIR: data });
    const daemon = run("daemon");
    // A file is read, because each call of the command costs as much as a part of the daemon's start.
    const state = () => readFile(join(data, "daemon.json"), "utf8").catch(() => "");
    await expect.poll(state, { timeout: 30_000 }).toMatch(/\}\s*$/);
    const { listen } = JSON.parse((await run("status", "--json")).stdout) as { listen: string };
    expect(await run("signup", "--email", "ada@example.com", "--url", listen)).toMatchObject({ code: 0 });
    expect(await run("down")).toMatchObject({ code: 0 });
    expect((await daemon).code).toBe(0);
  }, 120_000);

  // [C-package]
  it("explains what to do if the SQLite driver has no native binary", async () => {
    const run = await installPackage(withoutBinary, { WIREROOM_API_KEY: `wr_${"x".repeat(43)}` });
    for (const command of ["init", "daemon", "status", "doctor", "operator list"]) {
      const { code, stdout, stderr } = await run(...command.split(" "));
      expect([command, code, stdout]).toEqual([command, 1, ""]);
      expect(stderr).toContain(
        "the database driver sqlite3 is not installed: Could not locate the bindings file",
      );
      expect(stderr).toContain("npm rebuild sqlite3");
      expect(stderr).not.toContain("    at ");
    }
    expect((await run("signup", "--help")).code).toBe(0);
    // A command that uses a remote daemon works without the driver.
    const { code, stderr } = await run("inbox", "--url", "http://127.0.0.1:9/v1");
    expect([code, stderr]).toEqual([8, expect.stringContaining("CONNECTION_FAILED")]);
    expect(stderr).not.toContain("    at ");
  });
});

describe("npx in a checkout", () => {
  // [C-package]
  it("finds the command, also if it was called before the build", async () => {
    const cache = new TemporaryFolder("wireroom-npx-").path;
    const env = { ...process.env, npm_config_cache: cache, npm_config_offline: "true" };
    const version = () => execute("npx", ["--no", "--", "wireroom", "--version"], { cwd: root, env });
    await version();
    // The npx cache contains a package without the command.
    for (const kept of await readdir(join(cache, "_npx"))) {
      await rm(join(cache, "_npx", kept, "node_modules/.bin"), { recursive: true });
    }
    expect((await version()).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
