/**
 * The built SDK in other runtimes than the one that runs the tests: Bun, Deno, a page and a worker of a
 * browser, and as a bundle for Node. All of them run `runtimes/exercise.mjs` against one daemon.
 */
import { execFile } from "node:child_process";
import { copyFile, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer, request as forward } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { delimiter, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openChromium } from "../harness/chromium.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

const root = resolve(import.meta.dirname, "../..");
const execute = promisify(execFile);
const require = createRequire(import.meta.url);

/** Returns the path of a file of a package that exists only for some platforms. */
function binary(path: string): string | undefined {
  try {
    return require.resolve(path);
  } catch {
    process.stdout.write(`SKIPPED: ${path} is not installed on this platform\n`);
    return undefined;
  }
}

const bun = binary("@oven/bun-linux-x64-baseline/bin/bun");
const deno = binary("@deno/linux-x64-glibc/deno");
/** Programs of other releases of Node, separated as in PATH. */
const nodes = process.env.WIREROOM_NODES?.split(delimiter).filter(Boolean) ?? [];
if (nodes.length === 0) process.stdout.write("SKIPPED: WIREROOM_NODES names no other Node\n");
const browser = await openChromium();

const { daemon, alice } = await hostedFixture(["alice"], {});
const folder = new TemporaryFolder("wireroom-runtimes-").path;
let settings: { origin: string; apiKey: string; idToken: string };

/**
 * A proxy before the daemon with the faults that `exercise` describes. It also serves the files of the
 * folder, so that pages and the API have one origin.
 */
const proxy = createServer(async (request, response) => {
  const { url: path, headers } = request;
  const fault = headers["x-fault"];
  if (fault === "hang") return;
  if (fault === "reset") return void request.socket.destroy();
  if (fault === "busy" && ++busy % 2 === 1)
    return void response.writeHead(503).end(JSON.stringify({ code: "UNAVAILABLE", message: "busy" }));
  if (fault === "cut") {
    response.writeHead(200, { "content-length": 100 }).write('{"type":"account"}\n{"slug":');
    return void setTimeout(() => response.destroy(), 20);
  }
  if (!path!.startsWith("/v1/")) {
    const type = path!.endsWith(".html") ? "text/html" : "text/javascript";
    return void response.writeHead(200, { "content-type": type }).end(await readFile(join(folder, path!)));
  }
  const { method } = request;
  const onward = forward(daemon.origin + path!, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode!, answer.headers);
    void pipeline(answer, response).catch(() => {});
  });
  response.once("close", () => onward.destroy());
  void pipeline(request, onward).catch(() => response.destroy());
});
let busy = 0;

beforeAll(async () => {
  await mkdir(join(folder, "node_modules/@wireroom"), { recursive: true });
  await symlink(join(root, "sdk"), join(folder, "node_modules/@wireroom/sdk"));
  await symlink(join(root, "node_modules/undici"), join(folder, "node_modules/undici"));
  await writeFile(join(folder, "package.json"), '{"type": "module"}');
  await writeFile(join(folder, "page.html"), '<script type="module" src="/page.js"></script>');
  for (const file of ["exercise.mjs", "run.mjs", "page.mjs"])
    await copyFile(join(import.meta.dirname, "runtimes", file), join(folder, file));
  await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
  const { port } = proxy.address() as AddressInfo;
  const idToken = await daemon.issuer.token({ claims: { sub: "alice", email: "alice@example.com" } });
  settings = { origin: `http://127.0.0.1:${port}`, apiKey: alice.key, idToken };
});

afterAll(() => {
  proxy.closeAllConnections();
  proxy.close();
});

const EXPECTED = {
  status: 201,
  hasRequestId: true,
  limits: ["wires_per_minute", "wires_per_day"],
  missing: true,
  read: ["hi"],
  longPoll: ["later"],
  abort: true,
  timeout: true,
  retry: "alice",
  retried: [true],
  cut: true,
  reset: true,
  badHeader: true,
  export: ["account", "end"],
  brokenExport: true,
  listened: "listen",
  brokenListen: true,
  closed: ["alice", true],
};

/** Runs a command line with the settings as its last argument. Returns what it prints as JSON. */
async function results(command: string, ...args: string[]): Promise<unknown> {
  const { stdout } = await execute(command, [...args, JSON.stringify(settings)], { cwd: folder });
  return JSON.parse(stdout);
}

describe("the SDK behaves the same", () => {
  it("on Node, with undici's pool", async () => {
    expect(await results(process.execPath, "run.mjs")).toEqual({ ...EXPECTED, entry: "index.js" });
  });

  it.each(nodes)("on the Node %s", async (node) => {
    expect(await results(node, "run.mjs")).toEqual({ ...EXPECTED, entry: "index.js" });
  });

  it.skipIf(!bun)("on Bun", async () => {
    expect(await results(bun!, "run.mjs")).toEqual({ ...EXPECTED, entry: "api.js" });
  });

  it.skipIf(!deno)("on Deno, with access to the network alone", async () => {
    const args = ["run", "--no-prompt", "--allow-net", "--allow-read", "run.mjs"];
    expect(await results(deno!, ...args)).toEqual({ ...EXPECTED, entry: "api.js" });
  });

  it.skipIf(!bun || !browser)("in a page and in a worker of a browser, as a bundle", async () => {
    await execute(bun!, ["build", "page.mjs", "--target=browser", "--outfile=page.js"], { cwd: folder });
    expect(await readFile(join(folder, "page.js"), "utf8")).not.toMatch(/undici|node:|process\.|require\(/);
    const page = await browser!.newPage();
    await page.goto(`${settings.origin}/page.html`);
    for (const name of ["exercise", "exerciseInWorker"]) {
      const run = ([each, given]: [string, object]) =>
        (globalThis as unknown as Record<string, (given: object) => unknown>)[each]!(given);
      expect(await page.evaluate(run, [name, settings] as [string, object]), name).toEqual(EXPECTED);
    }
  });

  // esbuild and webpack set the condition `module`. Bundlers without it bundle undici, which is CommonJS.
  it.skipIf(!bun).each([
    ["with the condition `module`", ["--conditions=module"], false],
    ["without it", [], true],
  ])("on Node, as one file of a bundler %s", async (_, flags, hasPool) => {
    const args = ["build", "run.mjs", "--target=node", "--outfile=bundle.mjs", ...flags];
    await execute(bun!, args, { cwd: folder });
    expect((await readFile(join(folder, "bundle.mjs"), "utf8")).includes("undici")).toBe(hasPool);
    expect(await results(process.execPath, "bundle.mjs")).toMatchObject(EXPECTED);
  });
});
