/** The check of dependencies finds what it exists for, and does not depend on the network. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { TemporaryFolder } from "./harness/temporary-folder.js";

const SCRIPT = resolve(import.meta.dirname, "../scripts/check-dependencies.mjs");
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/**
 * Starts a registry that knows one version of one package, and answers every audit with this body. Returns
 * its URL.
 */
async function registryAnswering(status: number, body: object): Promise<string> {
  const versions = { "1.0.0": { name: "some", version: "1.0.0", dist: { tarball: "" } } };
  const packument = { name: "some", "dist-tags": { latest: "1.0.0" }, versions };
  const server = createServer((request, response) => {
    const isAudit = request.method === "POST";
    request.resume().on("end", () => {
      response.writeHead(isAudit ? status : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(isAudit ? body : packument));
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Runs the check on a project with these packages, at version 1.0.0. The default registry is unreachable. */
async function check(
  packages: Record<string, object>,
  registry = "http://127.0.0.1:1/",
  manifest: object = {},
) {
  const folder = new TemporaryFolder("wireroom-dependencies-").path;
  const names = Object.keys(packages);
  const dependencies = Object.fromEntries(names.map((name) => [name, "1.0.0"]));
  const project = { name: "project", version: "1.0.0", dependencies, ...manifest };
  const entries = names.map((name) => [
    `node_modules/${name}`,
    { version: "1.0.0", license: "MIT", ...packages[name] },
  ]);
  const locked = { "": project, ...Object.fromEntries(entries) };
  writeFileSync(join(folder, "package.json"), JSON.stringify(project));
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ lockfileVersion: 3, packages: locked }));
  const env = { ...process.env, npm_config_registry: registry, npm_config_cache: join(folder, "cache") };
  const child = spawn(process.execPath, [SCRIPT], { cwd: folder, env });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      text += chunk;
    });
  const [code] = await once(child, "close");
  return { code, text };
}

describe("the check of dependencies", () => {
  it("passes without a network, and says what it did not check", async () => {
    const packages = {
      some: { license: "(GPL-3.0-only OR MIT)" },
      built: { hasInstallScript: true },
      tool: { license: "GPL-3.0-only", dev: true },
    };
    const { code, text } = await check(packages, undefined, { allowScripts: { built: false } });
    expect(code).toBe(0);
    expect(text).toContain("NOT CHECKED: npm audit: ");
    expect(text).toContain("checked the licences, origins and scripts of 3 packages");
  });

  it("passes if the registry has no audit endpoint", async () => {
    const { code, text } = await check({ some: {} }, await registryAnswering(405, { error: "no" }));
    expect(code).toBe(0);
    expect(text).toContain("NOT CHECKED");
  });

  it("fails for a known vulnerability", async () => {
    const advisory = { id: 1, url: "", title: "bad", severity: "high", vulnerable_versions: "<2.0.0" };
    const { code, text } = await check({ some: {} }, await registryAnswering(200, { some: [advisory] }));
    expect([code, text]).toEqual([1, expect.stringContaining("npm audit: some (high)")]);
  });

  it("fails for licences, origins and install scripts that nobody has allowed", async () => {
    const { code, text } = await check({
      copyleft: { license: "GPL-3.0-only" },
      partly: { license: "(MIT AND GPL-3.0-only)" },
      unknown: { license: undefined },
      elsewhere: { resolved: "https://evil.example/some.tgz" },
      scripted: { hasInstallScript: true },
    });
    expect(code).toBe(1);
    expect(text).toContain("node_modules/copyleft: the licence GPL-3.0-only");
    expect(text).toContain("node_modules/partly: the licence (MIT AND GPL-3.0-only)");
    expect(text).toContain("node_modules/unknown: the licence none");
    expect(text).toContain("node_modules/elsewhere: comes from https://evil.example");
    expect(text).toContain("node_modules/scripted: has an install script");
  });
});
