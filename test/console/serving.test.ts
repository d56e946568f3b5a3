import { readdirSync, statSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startDaemon, type TestDaemon } from "../harness/daemon.js";

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({ embeddedIdentity: true, isHosted: true });
});
afterAll(() => daemon.stop());

const get = (path: string, init?: RequestInit) => fetch(daemon.origin + path, init);

/** Returns the headers and the bytes of a response as they were sent. `fetch` would decompress them. */
function raw(path: string, encoding: string): Promise<{ encoding: string | undefined; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const options = { headers: { "accept-encoding": encoding } };
    const sent = request(daemon.origin + path, options, async (response) => {
      const bytes = Buffer.concat(await response.toArray());
      resolve({ encoding: response.headers["content-encoding"], bytes });
    });
    sent.on("error", reject).end();
  });
}

async function assetPaths(): Promise<string[]> {
  const html = await (await get("/console")).text();
  return [...html.matchAll(/"(\/console\/assets\/[^"]+)"/g)].map(([, path]) => path!);
}

describe("the console", () => {
  // [D16-every-path]
  it("answers every path with the page, which no cache stores", async () => {
    const page = await (await get("/console")).text();
    expect(page).toContain(`content="${daemon.origin}"`);
    for (const path of [
      "/console/",
      "/console/handles/alice/keys",
      "/console/approvals?x=1",
      "/console/%00",
    ]) {
      const response = await get(path);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(await response.text()).toBe(page);
    }
    expect((await get("/console", { method: "POST" })).status).toBe(404);
    expect((await get("/consoles")).status).toBe(404);
  });

  // [D20-root]
  it("is where a browser gets from the daemon's origin", async () => {
    const asBrowser = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };
    const response = await get("/", { headers: asBrowser, redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([302, "/console"]);
    expect((await get("/?x=1", { headers: asBrowser })).url).toBe(`${daemon.origin}/console`);
    for (const accept of ["application/json", "*/*", ""])
      expect((await get("/", { headers: { accept } })).status).toBe(404);
    for (const path of ["/index.html", "/v1"])
      expect((await get(path, { headers: asBrowser })).status).toBe(404);
  });

  // [D16-assets]
  it("serves hashed assets as immutable, and 404 for a missing one", async () => {
    const paths = await assetPaths();
    expect(paths.filter((path) => path.endsWith(".css"))).toHaveLength(1);
    expect(paths.length).toBeGreaterThan(1);
    for (const path of paths) {
      const response = await get(path);
      expect(response.status).toBe(200);
      expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    }
    for (const path of ["/console/assets/none.js", "/console/assets/../assets/none.js", "/console/assets/"])
      expect((await get(path)).status).toBe(404);
  });

  // [D16-compressed]
  it("compresses with Brotli, or with gzip, if the client accepts it", async () => {
    const [path] = await assetPaths();
    const plain = await raw(path!, "identity");
    expect(plain.encoding).toBeUndefined();
    for (const accepted of ["gzip, deflate, br", "br;q=0.1, gzip", "*"]) {
      const { encoding, bytes } = await raw(path!, accepted);
      expect(encoding).toBe("br");
      expect(brotliDecompressSync(bytes)).toEqual(plain.bytes);
    }
    for (const accepted of ["gzip", "br;q=0, gzip"]) {
      const { encoding, bytes } = await raw(path!, accepted);
      expect(encoding).toBe("gzip");
      expect(gunzipSync(bytes)).toEqual(plain.bytes);
    }
  });

  // [D16-size]
  it("is at most 75 kB of JavaScript, compressed", () => {
    const folder = join(import.meta.dirname, "../../dist/console/assets");
    const scripts = readdirSync(folder).filter((name) => name.endsWith(".js.br"));
    const bytes = scripts.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    process.stdout.write(
      `the console: ${bytes} bytes of JavaScript with Brotli, in ${scripts.length} files\n`,
    );
    expect(bytes).toBeLessThanOrEqual(75_000);
  });

  // [D16-csp]
  it("has a strict Content-Security-Policy", async () => {
    const policy = (await get("/console/approvals")).headers.get("content-security-policy")!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*|data:/);
  });

  // [D16-install]
  it("can be installed: its icons are PNG files of the sizes that the manifest states", async () => {
    const html = await (await get("/console")).text();
    const manifest = await (await get(/rel="manifest" href="([^"]+)"/.exec(html)![1]!)).json();
    const touch = /rel="apple-touch-icon" href="([^"]+)"/.exec(html)![1]!;
    const icons = [
      ...(manifest as { icons: { src: string; sizes: string; type: string; purpose: string }[] }).icons,
      { src: touch, sizes: "180x180", type: "image/png", purpose: "any" },
    ];
    expect(
      icons.filter(({ type }) => type === "image/png").map(({ sizes, purpose }) => `${sizes} ${purpose}`),
    ).toEqual(["192x192 any", "512x512 any", "512x512 maskable", "180x180 any"]);
    for (const { src, sizes, type } of icons) {
      const response = await get(src);
      expect(response.headers.get("content-type")).toBe(type);
      const bytes = Buffer.from(await response.arrayBuffer());
      if (type !== "image/png") continue;
      expect(bytes.subarray(1, 4).toString()).toBe("PNG");
      expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes);
      expect(bytes.length).toBeLessThan(20_000);
    }
  });

  // [D16-no-console]
  it("is 404 with --no-console, and if nobody could sign in", async () => {
    for (const options of [{ embeddedIdentity: true, args: ["--no-console"] }, { isHosted: true }]) {
      const other = await startDaemon(options);
      for (const path of ["/console", "/"])
        expect((await fetch(other.origin + path, { headers: { accept: "text/html" } })).status).toBe(404);
      await other.stop();
    }
  });
});
