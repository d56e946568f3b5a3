import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readLastSettings } from "../../daemon/local/last-settings.js";
import { CliSandbox, isRunning } from "../harness/cli-sandbox.js";
import { COMMAND } from "../harness/daemon.js";
import { freePort } from "../harness/free-port.js";
import { startOidcIssuer } from "../harness/oidc-issuer.js";
import { Terminal } from "../harness/terminal.js";

const lanAddress = Object.values(networkInterfaces())
  .flatMap((addresses = []) => addresses)
  .find(({ internal, family }) => !internal && family === "IPv4");

let machine: CliSandbox;
beforeEach(async () => {
  machine = await CliSandbox.create();
});
afterEach(() => machine.cleanUp());

describe("wireroom up", () => {
  // [C-up-serves] [C-up-no-secrets]
  it("starts a daemon in the background, prints its address and the next steps, and keeps secret flags out of the process list and the data folder", async () => {
    const args = ["up", "--smtp-url", "smtp://me:swordfish@127.0.0.1:2525"];
    const terminal = Terminal.wireroom(args, { env: machine.env, columns: 120 });
    expect(await terminal.exitCode).toBe(0);
    await terminal.waitFor(/url +http:\/\/127\.0\.0\.1:\d+\/v1/);
    for (const words of [machine.dataDir, "daemon.log", "/console", "wireroom init"])
      await terminal.waitFor(words);
    const status = await machine.runJson(["status"]);
    expect((await fetch(`${status.listen}/readyz`)).status).toBe(200);
    expect((await stat(join(machine.dataDir, "daemon.log"))).mode & 0o077).toBe(0);
    expect(execFileSync("ps", ["-o", "args=", "-p", String(status.pid)]).toString()).not.toContain(
      "swordfish",
    );
    const state = await readFile(join(machine.dataDir, "daemon.json"), "utf8");
    expect(state).toContain("smtp://127.0.0.1:2525");
    expect(state).not.toContain("swordfish");
    expect((await stat(join(machine.dataDir, "daemon.json"))).mode & 0o077).toBe(0);
  });

  // [C-up-again] [C-one-folder]
  it("starts one daemon when it is run concurrently or again, and every call prints the address", async () => {
    const ended = await Promise.all([1, 2, 3].map(() => machine.spawn(["up", "--json"])));
    const all = ended.map(({ stdout }) => JSON.parse(stdout));
    const { pid } = await machine.runJson(["status"]);
    expect(all.map((each) => each.pid)).toEqual([pid, pid, pid]);
    expect(all.filter(({ started }) => started)).toHaveLength(1);
    const first = all.find(({ started }) => started)!;
    expect(first).toMatchObject({ running: true, data_dir: machine.dataDir });
    const again = await machine.run(["up"]);
    expect(again.code).toBe(0);
    expect(again.stderr).toContain("already running");
    for (const value of [first.base_url, String(pid)]) expect(again.stdout).toContain(value);
  });

  // [C-up-lan]
  it.skipIf(lanAddress === undefined)(
    "lets other machines join with --lan, now and the next time",
    async () => {
      const { base_url, listen, lan_url } = await machine.runJson(["up", "--lan"]);
      expect(base_url).toBe(`${listen}/v1`);
      expect(new URL(listen).hostname).toBe("127.0.0.1");
      expect(new URL(lan_url).port).toBe(new URL(listen).port);
      const { origin } = new URL(lan_url);
      for (const from of [origin, listen]) expect((await fetch(`${from}/healthz`)).status).toBe(200);
      // A refused `Host` or `Origin` is a 403.
      const mcp = await fetch(`${origin}/mcp`, { method: "POST", headers: { origin } });
      expect(mcp.status).toBe(401);
      const secret = (await readFile(join(machine.dataDir, "local-sign-in"), "utf8")).trim();
      const signIn = (from: string) =>
        fetch(`${from}/identity/local`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ secret, email: "ann@localhost" }),
        });
      expect((await signIn(origin)).status).toBe(403);
      expect((await signIn(listen)).status).toBe(200);
      await machine.run(["down"]);
      const again = await machine.run(["up"]);
      expect(again.stderr).toMatch(/as last time: --host 0\.0\.0\.0 .*--local-sign-in(\s|$)/m);
      expect(again.stderr).toMatch(/export WIREROOM_URL=http:\/\/[\d.]+:\d+\/v1 WIREROOM_API_KEY=/);
      expect(again.stderr).toContain("nothing encrypts");
    },
  );

  // [C-up-fails]
  it("reports why the daemon did not start, and leaves no files behind", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };
    const failed = await machine.run(["up", "--port", String(port)]);
    server.close();
    expect(failed).toMatchObject({ code: 1, stdout: "" });
    expect(failed.stderr).toContain(`port ${port}`);
    expect(failed.stderr).toContain("wireroom doctor");
    expect((await machine.run(["status"])).code).toBe(8);
    expect(await readdir(machine.dataDir)).not.toContain("daemon.json");
  });

  // [C-up-fails] [C-hints-context]
  it("names the database that cannot be reached in the command that finds the problem, without its password", async () => {
    const url = "postgres://wr:s@secret@127.0.0.1:1/wr?password=secret";
    const failed = await machine.run(["up", "--database-url", url]);
    expect(failed.code).toBe(1);
    const shown = "'postgres://wr:PASSWORD@127.0.0.1:1/wr?password=PASSWORD'";
    expect(failed.stderr).toContain(`wireroom doctor --database-url ${shown}\n`);
    expect(failed.stderr).not.toContain("secret");
  });

  // [C-up-fails]
  it("ends if PostgreSQL asks for a password that nobody has set, and says where to set it", async () => {
    const ask = (kind: number, text: string) => {
      const head = Buffer.alloc(9, "R");
      head.writeInt32BE(head.length - 1 + text.length, 1);
      head.writeInt32BE(kind, 5);
      return Buffer.concat([head, Buffer.from(text)]);
    };
    // A server that waits for the client to close the connection, as PostgreSQL does for a minute.
    const server = createServer((socket) => {
      socket.once("data", () => {
        socket.write(ask(10, "SCRAM-SHA-256\0\0"));
        socket.once("data", () => socket.write(ask(11, "r=nonce")));
      });
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };
    const failed = await machine.run(["up", "--database-url", `postgres://wr@127.0.0.1:${port}/wr`]);
    server.close();
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain("the server asks for a password; set PGPASSWORD");
  });

  // [C-up-fails]
  it("rejects an invalid setting before it starts the daemon", async () => {
    const refused = await machine.run(["up", "--port", "http"]);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("--port: must be a number");
  });

  // [C-up-fails] [D12-host-port]
  it("rejects a port to which fetch does not connect, wherever it is set", async () => {
    const env = { WIREROOM_PORT: "6000" };
    const refusals = [
      await machine.run(["up", "--port", "6000"]),
      await machine.run(["init", "alice"], { env }),
      await machine.spawn(["daemon"], { env }),
      await machine.run(["up", "--public-url", "http://wireroom.example.com:6000"]),
    ];
    for (const { code, stderr } of refusals) {
      expect(code).not.toBe(0);
      expect(stderr).toContain("Node and browsers do not connect to port 6000");
    }
  });

  // [C-up-serves]
  it("passes every setting on; flags override environment variables", async () => {
    const issuer = await startOidcIssuer();
    await issuer.addKey("ES256");
    const flags = ["--oidc-issuer", issuer.url, "--oidc-audience", issuer.audience];
    const env = { WIREROOM_LIMITS: "wires_per_minute=5,wires_per_day=7" };
    await machine.runJson(["up", ...flags, "--limit", "wires_per_minute=6"], { env });
    const human = {
      WIREROOM_ID_TOKEN: await issuer.token({ claims: { sub: "ada", email: "ada@example.com" } }),
    };
    await machine.runJson(["handle", "create", "ada"], { env: human });
    const { key } = await machine.runJson(["key", "issue", "ada"], { env: human });
    const { limits } = await machine.runJson(["limits"], { env: { WIREROOM_API_KEY: key } });
    const limitOf = (name: string) => limits.find((limit: { name: string }) => limit.name === name).limit;
    expect([limitOf("wires_per_minute"), limitOf("wires_per_day")]).toEqual([6, 7]);
    await issuer.close();
  });
});

describe("the settings of the last time", () => {
  /** The sandbox sets a port; here the last settings have it. */
  const env = { WIREROOM_PORT: "" };

  // [C-up-last]
  it("are used again without flags, also by another profile and after a restore, and replaced by any flag", async () => {
    const port = await freePort();
    const args = [
      "--port",
      String(port),
      "--limit",
      "wires_per_minute=600",
      "--retain",
      "91",
      "--no-console",
    ];
    const { base_url } = await machine.runJson(["up", ...args], { env });
    const copy = join(machine.folder, "copy.db");
    await machine.run(["backup", copy], { env });
    await machine.run(["down"], { env });
    await machine.run(["restore", copy, "--replace"], { env });
    const overridden = { ...env, WIREROOM_RETAIN: "90" };
    const again = await machine.run(["--profile", "bob", "up"], { env: overridden });
    expect(again.stderr).toContain(
      `as last time: --limit wires_per_minute=600 --port ${port} --no-console\n`,
    );
    const status = await machine.runJson(["status"], { env });
    expect(status).toMatchObject({ base_url, settings: { "--retain": "90", "--console": "off" } });
    const shown = (await machine.run(["status"], { env })).stdout;
    for (const line of ["limits\twires_per_minute=600", "retention\t90 days", "public url\tnone"])
      expect(shown).toContain(line);
    expect((await machine.run(["doctor"], { env })).stdout).toMatch(
      /ok\tsettings\tversion [\d.]+; limits: wires_per_minute=600; retention: 90 days; public URL: none/,
    );
    const [serving] = (await readFile(join(machine.dataDir, "daemon.log"), "utf8"))
      .split("\n")
      .filter((line) => line.includes('"serving"'))
      .map((line) => JSON.parse(line));
    expect(serving).toMatchObject({
      version: expect.stringMatching(/^\d/),
      limits: "wires_per_minute=600",
      retention: "91 days",
      public_url: "none",
    });

    const busy = await machine.run(["up", "--limit", "wires_per_minute=500"], { env });
    expect(busy.code).not.toBe(0);
    expect(busy.stderr).toContain(
      `Then run this command again. To keep the other settings, add: --port ${port} --no-console --retain 90`,
    );
    await machine.run(["down"], { env });
    const changed = await machine.run(["up", "--port", String(port)], { env });
    expect(changed.stderr).toContain(
      "not kept from last time, because flags replace all settings: --limit wires_per_minute=600 --no-console --retain 90\n" +
        "To keep them, run wireroom down, and then this command with them added.\n",
    );
    expect((await machine.runJson(["status"], { env })).settings).toMatchObject({ "--retain": "none" });
  });

  // [C-up-last] [C-up-no-secrets]
  it("lack passwords, so that up asks for them instead of starting another service", async () => {
    await machine.runJson(["up", "--smtp-url", "smtp://me:swordfish@127.0.0.1:2525"]);
    await machine.run(["down"]);
    for (const file of await readdir(machine.dataDir))
      expect(await readFile(join(machine.dataDir, file), "latin1")).not.toContain("swordfish");
    const refused = await machine.run(["up"]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("WIREROOM_SMTP_URL")]);
    expect((await machine.run(["doctor"])).stdout).toMatch(/fail\tsettings\t.*WIREROOM_SMTP_URL/);
    const withIt = { env: { WIREROOM_SMTP_URL: "smtp://me:swordfish@127.0.0.1:2525" } };
    expect(await machine.runJson(["up"], withIt)).toMatchObject({ started: true });
  });
});

describe("the file of the last settings", () => {
  // [C-up-last] [C-up-no-secrets]
  it("names the secret of an OAuth client without its value, so that up asks for it", async () => {
    const issuer = await startOidcIssuer();
    await issuer.addKey("ES256");
    const flags = ["--oidc-issuer", issuer.url, "--oidc-audience", issuer.audience, "--oidc-client-id", "me"];
    await machine.runJson(["up", ...flags], { env: { WIREROOM_OIDC_CLIENT_SECRET: "swordfish" } });
    await machine.run(["down"]);
    await issuer.close();
    const text = await readFile(join(machine.dataDir, "last-up.json"), "utf8");
    expect(text).not.toContain("swordfish");
    const refused = await machine.run(["up"]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("WIREROOM_OIDC_CLIENT_SECRET, which is not stored");
  });

  // [C-up-last]
  it("can only set settings, and a damaged file sets nothing", async () => {
    const nothing = { variables: {}, withheld: [] };
    const variables = { WIREROOM_PORT: "8080", NODE_OPTIONS: "--require ./own.cjs", PATH: "." };
    for (const [content, settings] of [
      [{ variables }, { variables: { WIREROOM_PORT: "8080" }, withheld: [] }],
      [{ variables: { WIREROOM_PORT: 8080 } }, nothing],
      [{ withheld: 1 }, nothing],
      [null, nothing],
    ]) {
      await mkdir(machine.dataDir, { recursive: true });
      await writeFile(join(machine.dataDir, "last-up.json"), JSON.stringify(content));
      expect(await readLastSettings(machine.dataDir)).toEqual(settings);
    }
  });
});

describe("a daemon that has moved to another port", () => {
  // [C-up-found]
  it("is offered to the profile of its data folder, and to others back at the former address", async () => {
    const port = await freePort();
    const profile = {
      url: `http://127.0.0.1:${port}/v1`,
      keys: { alice: `wr_${"a".repeat(43)}` },
      handle: "alice",
    };
    await mkdir(join(machine.configDir, "profiles"), { recursive: true });
    await writeFile(join(machine.configDir, "profiles", "default.json"), JSON.stringify(profile), {
      mode: 0o600,
    });
    const { base_url } = await machine.runJson(["up"]);
    const { code, stderr } = await machine.run(["inbox"]);
    expect(code).toBe(8);
    expect(stderr).toContain(`The daemon runs at ${base_url} now`);
    expect(stderr).toContain(`wireroom down && wireroom up --port ${port}`);
    await writeFile(
      join(machine.configDir, "profiles", "default.json"),
      JSON.stringify({ ...profile, dataDir: machine.dataDir }),
    );
    expect((await machine.run(["inbox"])).stderr).toContain("To use it there: wireroom up\n");
    // If another daemon answers at the address of the profile, the profile is for that one.
    const other = createHttpServer((_request, response) => response.end()).listen(port, "127.0.0.1");
    await once(other, "listening");
    await machine.run(["up"]);
    expect((await machine.readProfile()).url).toBe(profile.url);
    other.close();
    other.closeAllConnections();
    await machine.run(["up"]);
    expect(await machine.readProfile()).toMatchObject({ url: base_url, keys: profile.keys });
  });
});

describe("a daemon of another data folder", () => {
  // [C-logs]
  it("is not hidden by the advice to start one", async () => {
    const { base_url } = await machine.runJson(["up"]);
    const elsewhere = {
      env: { WIREROOM_DATA_DIR: join(machine.folder, "elsewhere"), WIREROOM_URL: base_url },
    };
    const logs = await machine.run(["logs"], elsewhere);
    expect([logs.code, logs.stderr]).toEqual([1, expect.stringContaining(`a daemon serves ${base_url}`)]);
    expect(logs.stderr).not.toContain("wireroom up");
    // A second profile without a data folder finds it by its address.
    const bob = { env: { WIREROOM_DATA_DIR: "", WIREROOM_URL: base_url, WIREROOM_PROFILE: "bob" } };
    expect((await machine.run(["logs"], bob)).stdout).toContain('"serving"');
  });
});

describe("wireroom down and status", () => {
  // [C-down-ends] [C-status] [C-up-profile] [C-up-found] [C-signup-code-log]
  it("end the daemon, and report whether it runs; the profile follows the daemon", async () => {
    const { pid, base_url } = await machine.runJson(["up"]);
    expect(await machine.readProfile()).toEqual({ url: base_url, dataDir: machine.dataDir });
    expect(await machine.runJson(["status"])).toMatchObject({
      running: true,
      ready: true,
      pid,
      base_url,
      data_dir: machine.dataDir,
      version: expect.any(String),
      uptime: expect.any(Number),
      schema_version: expect.any(Number),
      database_bytes: expect.any(Number),
    });
    // A profile without an address calls the running daemon instead of the default address.
    const signup = ["signup", "--profile", "ada", "--email", "ada@example.com"];
    const sent = await machine.run(signup, { env: { WIREROOM_PASSWORD: "correct horse battery" } });
    expect(sent).toMatchObject({ code: 0, stdout: "code_sent\n" });
    expect(sent.stderr).toContain("Read the log: wireroom --profile ada logs\n");
    // With --url, another profile names the data folder.
    const eve = ["signup", "--profile", "eve", "--url", base_url, "--email", "eve@example.com"];
    const env = { WIREROOM_PASSWORD: "correct horse battery", WIREROOM_DATA_DIR: "" };
    const { stderr } = await machine.run(eve, { env });
    expect(stderr).toContain(`Read the log: wireroom --profile eve logs --data-dir ${machine.dataDir}\n`);
    const down = await machine.spawn(["down", "--json"]);
    expect(JSON.parse(down.stdout)).toMatchObject({ running: false, stopped: true, pid });
    await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false);
    const status = await machine.run(["status", "--json"]);
    expect(status.code).toBe(8);
    expect(JSON.parse(status.stdout)).toMatchObject({ running: false, ready: false, pid: null });
    expect(JSON.parse(status.stderr)).toMatchObject({ code: "NOT_RUNNING" });
    expect(await machine.runJson(["down"])).toMatchObject({ running: false, stopped: false });
    const later = await machine.runJson(["up"]);
    expect(await machine.readProfile()).toEqual({ url: later.base_url, dataDir: machine.dataDir });
  });

  // [C-stale-state] [C-up-profile]
  it("ignore the state file of a killed daemon whose process id belongs to another process; a profile with keys of another daemon is unchanged and reported", async () => {
    const profile = { url: "http://127.0.0.1:9/v1", keys: { alice: `wr_${"a".repeat(43)}` } };
    await mkdir(join(machine.configDir, "profiles"), { recursive: true });
    await writeFile(join(machine.configDir, "profiles", "default.json"), JSON.stringify(profile), {
      mode: 0o600,
    });
    const up = await machine.run(["up"]);
    expect(up.code).toBe(0);
    expect(up.stderr).toContain(`wireroom --profile NAME init --data-dir ${machine.dataDir}\n`);
    expect(await machine.readProfile()).toEqual(profile);
    const { pid } = await machine.runJson(["status"]);
    const file = join(machine.dataDir, "daemon.json");
    process.kill(pid, "SIGKILL");
    await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false);
    const state = JSON.parse(await readFile(file, "utf8"));
    await writeFile(file, JSON.stringify({ ...state, pid: process.pid }));
    expect((await machine.run(["status"])).code).toBe(8);
    // Otherwise the command would kill the test process.
    expect(await machine.runJson(["down"])).toMatchObject({ stopped: false });
    expect(await machine.runJson(["up"])).toMatchObject({ started: true });
    expect((await machine.runJson(["status"])).pid).not.toBe(process.pid);
  });

  // [C-one-folder] [C-down-ends] [C-closed-pipe]
  it("work for a foreground daemon whose output nobody reads; a second daemon for the same folder is rejected", async () => {
    const env = { ...process.env, ...machine.env };
    const child = spawn(process.execPath, [COMMAND, "daemon"], { env, stdio: ["ignore", "pipe", "ignore"] });
    child.stdout.destroy();
    const ended = once(child, "exit");
    await expect.poll(async () => (await machine.run(["status"])).code, { timeout: 50_000 }).toBe(0);
    const elsewhere = `sqlite:${join(machine.folder, "elsewhere.db")}`;
    const second = await machine.run(["daemon", "--database-url", elsewhere]);
    expect(second).toMatchObject({ code: 1, stdout: "" });
    expect(second.stderr).toContain("another daemon is running");
    expect(second.stderr).toContain(`wireroom down --data-dir '${machine.dataDir}'`);
    const logs = await machine.run(["logs"]);
    expect(logs).toMatchObject({ code: 1, stdout: "" });
    expect(logs.stderr).toContain("foreground");
    expect(logs.stderr).toMatch(/: wireroom down .*&& wireroom up/);
    expect(await machine.runJson(["down"])).toMatchObject({ stopped: true });
    expect((await ended)[0]).toBe(0);
    // No `wireroom up` has stored the port of this daemon.
    const used = { url: "http://127.0.0.1:4748/v1", dataDir: machine.dataDir };
    await mkdir(join(machine.configDir, "profiles"), { recursive: true });
    await writeFile(join(machine.configDir, "profiles", "default.json"), JSON.stringify(used));
    const { stderr } = await machine.run(["status"]);
    expect(stderr).toContain(
      "Set up this machine: wireroom init\n  Or only start the daemon: wireroom up --port 4748\n",
    );
  });
});
