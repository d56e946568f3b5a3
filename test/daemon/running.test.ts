import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { migrations } from "../../src/store/engine/migrations/index.js";
import { runProcess } from "../harness/command.js";
import { startDaemon } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { withDatabase } from "../harness/database.js";

const { daemon } = await daemonFixture();

const get = (path: string, init?: RequestInit) => fetch(`${daemon.origin}${path}`, init);

describe("the ready line", () => {
  // [D12-ready-line] [D12-foreground] [D1-base-url]
  it("is one line of JSON on standard output, after the daemon has started to serve", async () => {
    let stdout = "";
    const started = await startDaemon();
    started.process.stdout!.on("data", (chunk) => {
      stdout += chunk;
    });
    expect((await fetch(`${started.origin}/healthz`)).status).toBe(200);
    expect(started.origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    await started.stop();
    expect(stdout).toBe("");
  });

  // [D12-ready-line] [D12-host-port] [D1-public-url] [D1-base-url]
  it("contains base_url and mcp_url from the public URL, and the listen address, at a free port for port 0", async () => {
    const folder = await mkdtemp(join(tmpdir(), "wireroom-ready-"));
    const lines = await new Promise<string>((resolve, reject) => {
      const args = ["--data-dir", folder, "--public-url", "https://wires.example.com"];
      startDaemonOutput(args).then(resolve, reject);
    });
    await rm(folder, { recursive: true });
    expect(lines.endsWith("}\n")).toBe(true);
    const { listen, ...ready } = JSON.parse(lines);
    expect(ready).toEqual({
      event: "ready",
      base_url: "https://wires.example.com/v1",
      mcp_url: "https://wires.example.com/mcp",
    });
    expect(listen).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
  });
});

/**
 * Returns everything that a daemon writes to standard output until it is stopped, shortly after its ready
 * line.
 */
async function startDaemonOutput(args: string[]): Promise<string> {
  const { spawn } = await import("node:child_process");
  const { COMMAND } = await import("../harness/daemon.js");
  const child = spawn(process.execPath, [COMMAND, "daemon", "--port", "0", ...args], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  let stdout = "";
  return new Promise((resolve) => {
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
      setTimeout(() => child.kill("SIGINT"), 300);
    });
    child.once("close", () => resolve(stdout));
  });
}

describe("the endpoints for monitoring", () => {
  // [D12-healthz] [D12-readyz]
  it("healthz and readyz return 200 without a key", async () => {
    for (const path of ["/healthz", "/readyz"]) {
      const response = await get(path);
      expect(response.status).toBe(200);
      expect(await response.json()).toHaveProperty("status");
    }
  });

  // [D12-metrics]
  it("metrics have the Prometheus text format, and contain no caller and no message text", async () => {
    const alice = await daemon.createAgent("metrics-alice");
    await alice.post("/wires", { to: "metrics-alice", text: "confidential" });
    const response = await get("/metrics");
    expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    const text = await response.text();
    const samples = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    expect(samples.length).toBeGreaterThan(20);
    for (const line of samples) expect(line).toMatch(/^[a-zA-Z_:][\w:]*(\{.*\})? [-+]?(\d|Inf|Nan)/i);
    expect(text).toMatch(/wireroom_requests_total\{operation="wires.send",status="201"\} 1/);
    const buckets = text
      .match(/(?<=_bucket\{le="[^"]+",operation="wires.send",status_class="2xx"\} )\d+/g)!
      .map(Number);
    expect(buckets).toEqual([...buckets].sort());
    expect([buckets.length, buckets.at(-1)]).toEqual([15, 1]);
    for (const secret of ["metrics-alice", "confidential", alice.key]) expect(text).not.toContain(secret);
  });

  // [D12-metrics]
  it("metrics count waiting long-polls", async () => {
    const alice = await daemon.createAgent("waiting-alice");
    const held = alice.get("/inbox?wait=20");
    await expect.poll(async () => (await get("/metrics")).text()).toContain("wireroom_long_polls 1");
    await alice.post("/wires", { to: "waiting-alice", text: "wake up" });
    expect((await held).body.wires).toHaveLength(1);
    // The figures may be a tenth of a second old.
    await expect.poll(async () => (await get("/metrics")).text()).toContain("wireroom_long_polls 0");
  });

  // [D12-metrics]
  it("an unknown path creates no new time series", async () => {
    for (const path of ["/a", "/b", "/v1/c"]) await get(path);
    const metrics = async () => (await get("/metrics")).text();
    await expect.poll(metrics).toContain('operation="none",status="404"');
    expect(await metrics()).not.toMatch(/operation="\/?(v1\/)?[abc]"/);
  });
});

describe("a data folder", () => {
  // [D12-one-daemon]
  it("serves one daemon at a time: a second one is rejected in one line", async () => {
    const second = await runProcess(["daemon", "--port", "0", "--data-dir", daemon.dataDir]);
    expect(second).toMatchObject({ code: 1, stdout: "" });
    expect(second.stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(second.stderr).toContain("another daemon is running");
    expect(second.stderr).toContain(daemon.dataDir);
    expect((await get("/readyz")).status).toBe(200);
  });

  // [D12-one-daemon]
  it("can be used again after SIGKILL", async () => {
    await daemon.kill();
    await daemon.restart();
    expect((await get("/readyz")).status).toBe(200);
  });

  // [D12-data-folder]
  it("of a newer version is rejected and not changed", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "wireroom-newer-"));
    await (await startDaemon({ dataDir, isHosted: true })).stop();
    await withDatabase(dataDir, (db) =>
      db.run("INSERT INTO migrations (id, name, applied_at) VALUES (9999, 'from-the-future', 0)"),
    );
    const refused = await runProcess(["daemon", "--port", "0", "--data-dir", dataDir]);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr.trimEnd().split("\n")).toHaveLength(1);
    for (const word of ["newer version", "9999", "update Wireroom"]) expect(refused.stderr).toContain(word);
    const rows = await withDatabase(dataDir, (db) =>
      db.all<{ id: number }>("SELECT id FROM migrations ORDER BY id"),
    );
    expect(rows.map(({ id }) => id)).toEqual([...migrations.map(({ id }) => id), 9_999]);
    await rm(dataDir, { recursive: true });
  });

  // [D12-durable]
  it("keeps all data after a restart, and is readable only by its user", async () => {
    const alice = await daemon.createAgent("kept-alice", { bio: "kept" });
    const sent = await alice.post("/wires", { to: "kept-alice", text: "kept" });
    await daemon.restart();
    expect((await alice.get("/profile")).body.bio).toBe("kept");
    expect((await alice.get(`/wires/${sent.body.id}`)).body.text_body).toBe("kept");
  });
});

describe("readyz", () => {
  // [D12-readyz] [D12-healthz]
  it("returns 503 while the store does not respond, and healthz returns 200", async () => {
    const rename = (from: string, to: string) =>
      withDatabase(daemon.dataDir, (db) => db.run(`ALTER TABLE ${from} RENAME TO ${to}`));
    await rename("meta", "lost");
    try {
      expect((await get("/readyz")).status).toBe(503);
      expect((await get("/healthz")).status).toBe(200);
    } finally {
      await rename("lost", "meta");
    }
    expect((await get("/readyz")).status).toBe(200);
  });
});
