/** The published package: its content, and its use in an empty project. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CONTRACT_VERSION } from "../../src/contract/index.js";
import { startDaemon } from "../harness/daemon.js";

const root = resolve(import.meta.dirname, "../..");
const packageDir = join(root, "sdk");
const tsc = join(root, "node_modules/typescript-native/bin/tsc");
const execute = promisify(execFile);

let folder: string;
let tarball: string;
let contents: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "wireroom-sdk-"));
  const packed = await npm("pack", "--json", "--pack-destination", folder);
  const [pack] = JSON.parse(packed) as [{ filename: string; files: { path: string }[] }];
  tarball = join(folder, pack.filename);
  contents = pack.files.map(({ path }) => path);
  // The same files as after `npm install` of the tarball, without a registry.
  const scope = join(folder, "node_modules/@wireroom");
  await mkdir(scope, { recursive: true });
  await execute("tar", ["-xzf", tarball, "-C", scope]);
  await execute("mv", [join(scope, "package"), join(scope, "sdk")]);
  for (const name of ["undici", "msw", "@types", "@opentelemetry"]) await link(name);
  await symlink(root, join(folder, "node_modules/wireroom"));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function npm(...args: string[]): Promise<string> {
  return (await execute("npm", args, { cwd: packageDir })).stdout;
}

async function link(name: string): Promise<void> {
  await symlink(join(root, "node_modules", name), join(folder, "node_modules", name));
}

/** Returns a page's code blocks of a language, in order. */
async function blocks(language: string, page = join(packageDir, "README.md")): Promise<string[]> {
  const text = await readFile(page, "utf8");
  return [...text.matchAll(new RegExp(`^\`\`\`(?:${language})\\n(.*?)^\`\`\``, "gms"))].map(
    ([, code]) => code!,
  );
}

/** Declarations that the shorter examples of the README rely on. */
const PRELUDE = `
import { KnockRequiredError, SchemaValidationFailedError, Wireroom, WireroomDashboard, WireroomError } from "@wireroom/sdk";
declare const wr: Wireroom;
declare const freshIdToken: () => Promise<string>;
`;
const MODEL = `export declare function askModel(instructions: string, content: string): Promise<string>;`;

/** Returns the programs of both READMEs and the guide as TypeScript. */
async function examples(): Promise<string[]> {
  const guide = join(root, "docs/guide");
  const pages = [join(root, "README.md"), ...(await readdir(guide)).map((name) => join(guide, name))];
  const found = await Promise.all([blocks("ts|js"), ...pages.map((page) => blocks("ts|js", page))]);
  return found.flat().map((code) => {
    // Examples may use variables of earlier examples.
    const needsSent = code.includes("sent.") && !code.includes("const sent");
    const sent = needsSent ? 'const sent = await wr.wires.send({ to: "@bob", text: "hi" });\n' : "";
    const before = code.includes('from "@wireroom/sdk"') ? "" : `${PRELUDE}${sent}`;
    // TypeScript needs the type of a payload that the program reads.
    const typed = code.replace('feed({ slug: "proposals"', 'feed<{ cost: number }>({ slug: "proposals"');
    return `${before}${typed}\nexport {};\n`;
  });
}

describe("the package", () => {
  it("contains only the built code, its types, the README and the licence", () => {
    const others = contents.filter((path) => !/^dist\/([a-z]+\/)*[a-z-]+\.(js|d\.ts)$/.test(path));
    expect(others.sort()).toEqual(["LICENSE", "README.md", "package.json"]);
    expect(contents).toContain("dist/index.js");
    expect(contents).toContain("dist/index.d.ts");
  });

  it("has the version of the contract, and as its only dependency that is not optional any undici of the tested major version", async () => {
    const own = JSON.parse(await readFile(join(packageDir, "package.json"), "utf8"));
    const whole = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    expect(own.version).toBe(CONTRACT_VERSION);
    const [major] = whole.dependencies.undici.split(".");
    expect(own.dependencies).toEqual({ undici: `^${major}` });
    expect(Object.keys(own.peerDependencies)).toEqual(["msw", "wireroom"]);
    expect(own.peerDependenciesMeta).toEqual({ msw: { optional: true }, wireroom: { optional: true } });
    expect(own).not.toHaveProperty("scripts");
  });

  it("has no findings in publint", async () => {
    const { messages } = await publint({ pkgDir: packageDir, strict: true });
    expect(messages).toEqual([]);
  });

  it("has types that resolve in every module resolution mode", async () => {
    const attw = join(root, "test/node_modules/@arethetypeswrong/cli/dist/index.js");
    const own = JSON.parse(await readFile(join(packageDir, "package.json"), "utf8"));
    // Every supported version of Node can require an ES module.
    const flags = ["--ignore-rules", "cjs-resolves-to-esm", "--format", "ascii"];
    // The command exits with a code other than 0 if it finds a problem.
    const { stdout } = await execute(process.execPath, [attw, tarball, ...flags]);
    for (const mode of ["node10", "node16 (from CJS)", "node16 (from ESM)", "bundler"])
      expect(stdout.split(`\n${mode}: 🟢`), mode).toHaveLength(Object.keys(own.exports).length + 1);
  });
});

/** A tracer that prints its spans, and a propagator that sends their names. */
const TRACER = `
import { propagation, trace } from "@opentelemetry/api";
const startSpan = (name, { attributes }) => ({
  name, attributes,
  setAttribute(key, value) { attributes[key] = value; },
  setStatus(status) { this.status = status; },
  end() { console.log(JSON.stringify(this)); },
});
trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) });
propagation.setGlobalPropagator({
  fields: () => ["traceparent"],
  inject: (of, carrier, { set }) => set(carrier, "traceparent", trace.getSpan(of).name),
});
`;

describe("the package, installed in an empty folder,", () => {
  it("runs the README's example of OpenTelemetry", async () => {
    const received: (string | undefined)[] = [];
    const server = createServer(({ headers }, response) => {
      received.push(headers.traceparent as string);
      response.writeHead(received.length === 1 ? 503 : 200).end("{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await writeFile(join(folder, "tracer.mjs"), TRACER);
    const example = (await blocks("js")).find((code) => code.includes("@opentelemetry"))!;
    await writeFile(join(folder, "traced.mjs"), `import "./tracer.mjs";\n${example}`);
    const env = { ...process.env, WIREROOM_API_KEY: "wr_secret", WIREROOM_URL: origin };
    const { stdout } = await execute(process.execPath, ["traced.mjs"], { cwd: folder, env });
    server.close();
    const attributes = { "http.request.method": "GET", "url.full": `${origin}/v1/profile` };
    expect(
      stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([
      {
        name: "profile.get",
        attributes: { ...attributes, "http.response.status_code": 503 },
        status: { code: 2, message: expect.stringContaining("HTTP 503") },
      },
      { name: "profile.get", attributes: { ...attributes, "http.response.status_code": 200 } },
    ]);
    expect(received).toEqual(["profile.get", "profile.get"]);
  });

  it("has types for CommonJS, which can require it", async () => {
    const project = join(folder, "commonjs");
    await mkdir(project);
    const code = `import { NotFoundError, type Wire } from "@wireroom/sdk";
      import { OPERATIONS } from "@wireroom/sdk/operations";
      const id: Wire["id"] = OPERATIONS[0]!.id;
      console.log(typeof NotFoundError, id);`;
    await writeFile(join(project, "main.ts"), code);
    await writeFile(join(project, "package.json"), "{}");
    const flags = ["--module", "nodenext", "--target", "es2022", "--strict", "--skipLibCheck"];
    const build = execute(process.execPath, [tsc, ...flags, "--types", "node", "main.ts"], { cwd: project });
    await build.catch(({ stdout }) => expect.fail(stdout));
    expect(await readFile(join(project, "main.js"), "utf8")).toContain('require("@wireroom/sdk")');
    expect((await execute(process.execPath, ["main.js"], { cwd: project })).stdout).toMatch(/^function \w/);
  });

  it("runs the README's first example against the daemon", async () => {
    const daemon = await startDaemon({ isHosted: true });
    try {
      const { key } = await daemon.createAgent("alice");
      await writeFile(join(folder, "hello.mjs"), (await blocks("js"))[0]!);
      const env = { ...process.env, WIREROOM_API_KEY: key, WIREROOM_URL: daemon.base };
      const { stdout } = await execute(process.execPath, ["hello.mjs"], { cwd: folder, env });
      expect(stdout).toMatch(/^\S+Z {2}a note to myself\n$/);
    } finally {
      await daemon.stop();
    }
  });

  it("runs the README's tests with a real daemon and with msw", async () => {
    const [withDaemon, withMocks] = (await blocks("js")).filter((code) => code.includes("node:test"));
    await writeFile(join(folder, "room.test.mjs"), withDaemon!);
    await writeFile(join(folder, "mock.test.mjs"), withMocks!);
    const files = ["room.test.mjs", "mock.test.mjs"];
    const { stdout } = await execute(process.execPath, ["--test", ...files], { cwd: folder });
    expect(stdout).toMatch(/pass 2\n/);
  });

  it.each([
    ["the README's settings", {}],
    [
      "bundler",
      { module: "esnext", moduleResolution: "bundler", lib: ["es2022"], exactOptionalPropertyTypes: true },
    ],
  ])("compiles every program of the READMEs and the guide with %s", async (name, options) => {
    const project = join(folder, name);
    await mkdir(project, { recursive: true });
    // The types of msw need the library `DOM`.
    const programs = (await examples()).filter((code) => !("lib" in options && code.includes('"msw/node"')));
    for (const [n, code] of programs.entries()) await writeFile(join(project, `example-${n}.ts`), code);
    await writeFile(join(project, "model.d.mts"), MODEL);
    const { compilerOptions } = JSON.parse((await blocks("json"))[0]!);
    const settings = { compilerOptions: { ...compilerOptions, ...options } };
    await writeFile(join(project, "package.json"), '{"type": "module"}');
    await writeFile(join(project, "tsconfig.json"), JSON.stringify(settings));
    await execute(process.execPath, [tsc, "-p", project]).catch(({ stdout }) => expect.fail(stdout));
  });
});
