import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listSettings } from "../../daemon/local/running-settings.js";
import { type Flags, readSettings, SettingError } from "../../daemon/settings.js";
import { LIMIT_SETTINGS } from "../../src/contract/limits.js";
import { type CommandResult, type RunOptions, runProcess } from "../harness/command.js";
import { startDaemon } from "../harness/daemon.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "wireroom-settings-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Expects one line on standard error, exit code 1, and nothing on standard output. */
function expectRefused({ code, stdout, stderr }: CommandResult, ...words: string[]): void {
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(stderr).not.toMatch(/^\s+at |Error:/m);
  for (const word of words) expect(stderr).toContain(word);
}

const daemon = (args: string[], options?: RunOptions) =>
  runProcess(["daemon", "--port", "0", "--data-dir", join(folder, "data"), ...args], options);

describe("an invalid setting", () => {
  // [D12-senseless-setting]
  it.each<[string, Flags]>([
    ["--port", { port: "65536" }],
    ["--port", { port: "-1" }],
    ["--port", { port: "http" }],
    ["--public-url", { publicUrl: "wires.example.com" }],
    ["--public-url", { publicUrl: "https://wires.example.com/path" }],
    ["--public-url", { publicUrl: "ftp://wires.example.com" }],
    ["--public-url", { publicUrl: "https://:password@wires.example.com" }],
    ["--public-url", { publicUrl: "https://wires.example.com#" }],
    ["--limit", { limit: ["wires_per_second=1"] }],
    ["--limit", { limit: ["wires_per_minute"] }],
    ["--limit", { limit: ["wires_per_minute="] }],
    ["--limit", { limit: ["wires_per_minute=-1"] }],
    ["--limit", { limit: ["wires_per_minute=1.5"] }],
    ["--limit", { limit: ["wires_per_minute=1=2"] }],
    ["--limit", { limit: [""] }],
    ["--limit", { limit: ["toString=1"] }],
    ["--limit", { limit: ["account_factor=0"] }],
    ["--log-level", { logLevel: "loud" }],
    ["--retain", { retain: "0" }],
    ["--retain", { retain: "-1" }],
    ["--retain", { retain: "1.5" }],
    ["--retain", { retain: "90 days" }],
    ["--host", { host: "" }],
    ["--data-dir", { dataDir: "" }],
    ["--oidc-issuer", { oidcIssuer: "not a url" }],
    ["--oidc-issuer", { oidcIssuer: "https://accounts.example.com" }],
    ["--oidc-client-id", { oidcClientId: "wireroom-web" }],
    ["--oidc-client-id", { oidcClientId: "" }],
    ["--trusted-proxies", { trustedProxies: "proxy.example.com" }],
    ["--trusted-proxies", { trustedProxies: "10.0.0.0/33" }],
    ["--trusted-proxies", { trustedProxies: "10.0.0.1,10.0.0/8" }],
    ["--trusted-proxies", { trustedProxies: "2001:db8::/129" }],
    ["--trusted-proxies", { trustedProxies: "::ffff:10.0.0.0/104" }],
    ["--trusted-proxies", { trustedProxies: "10.0.0.0/8/8" }],
    ["--trusted-proxies", { trustedProxies: "10.0.0.0/" }],
    ["--trusted-proxies", { trustedProxies: "" }],
    ["--no-password-grant", { passwordGrant: "no" }],
    ["--no-console", { console: "no" }],
    ["--local-sign-in", { localSignIn: "no" }],
    ["--smtp-url", { smtpUrl: "http://mail.example.com" }],
    ["--cors-origin", { corsOrigin: ["*"] }],
    ["--cors-origin", { corsOrigin: ["null"] }],
    ["--cors-origin", { corsOrigin: [""] }],
    ["--cors-origin", { corsOrigin: ["app.example.com"] }],
    ["--cors-origin", { corsOrigin: ["https://*.example.com"] }],
    ["--cors-origin", { corsOrigin: ["https://app.example.com/path"] }],
    ["--cors-origin", { corsOrigin: ["https://:password@app.example.com"] }],
    ["--cors-origin", { corsOrigin: ["https://app.example.com#"] }],
    ["--cors-origin", { corsOrigin: ["https://app.example.com/?"] }],
    ["--cors-origin", { corsOrigin: ["https://app.example.com", "file:///tmp"] }],
    ["--cors-origin", { corsOrigin: ["https://app.example.com,https://other.example.com"] }],
  ])("is rejected in one line that starts with its flag: %s, %j", (flag, flags) => {
    let refusal: unknown;
    try {
      readSettings(flags, {});
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(SettingError);
    const { message } = refusal as SettingError;
    expect(message.startsWith(`${flag}: `) && !message.includes("\n")).toBe(true);
  });

  // [C-suggestion]
  it.each([
    ["wires_per_minute", { limit: ["wires_per_minut=5"] }],
    ["warn", { logLevel: "warning" }],
  ])("suggests %s", (word, flags) => {
    expect(() => readSettings(flags, {})).toThrow(`(did you mean ${word}?)`);
  });

  // [D12-senseless-setting]
  it("makes the daemon exit with code 1 and that line", async () => {
    expectRefused(await daemon(["--host="]), "--host: must not be empty");
    expectRefused(await daemon(["--database-url", "mysql://localhost/wireroom"]), "mysql", "sqlite:/path");
  });

  // [D12-senseless-setting] [D12-variables]
  it("is also rejected in an environment variable", async () => {
    expectRefused(
      await daemon([], { env: { WIREROOM_LIMITS: "wires_per_minute=60;x" } }),
      "wires_per_minute",
    );
  });

  // [D12-senseless-setting]
  it("such as a host of another machine is rejected", async () => {
    expectRefused(await daemon(["--host", "203.0.113.1"]), "203.0.113.1", "--host");
  });
});

describe("a daemon that cannot start", () => {
  // [D12-port-in-use]
  it("reports that its port is in use", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };
    expectRefused(await daemon(["--port", String(port)]), `port ${port}`, "in use", "--port");
    server.close();
  });

  // [D12-data-folder]
  it("reports that its data folder cannot be created", async () => {
    const file = join(folder, "a-file");
    await writeFile(file, "");
    const inFile = join(file, "data");
    expectRefused(await runProcess(["daemon", "--port", "0", "--data-dir", inFile]), inFile, "data folder");
  });

  // [D12-data-folder]
  it("reports that its data folder is not writable", async () => {
    const data = join(folder, "read-only");
    await mkdir(data);
    const started = await startDaemon({ dataDir: data });
    await started.kill();
    for (const name of await readdir(data)) await chmod(join(data, name), 0o444);
    await chmod(data, 0o555);
    const ended = await runProcess(["daemon", "--port", "0", "--data-dir", data], { unprivileged: true });
    await chmod(data, 0o755);
    expectRefused(ended, data, "cannot be written");
  });

  // [D12-data-folder]
  it.skipIf(process.platform !== "linux")("reports a folder that cannot get a new one", async () => {
    const data = await runProcess(["daemon", "--port", "0", "--data-dir", "/proc/no/data"]);
    expectRefused(data, "/proc/no/data", "cannot be written");
    const log = ["--data-dir", join(folder, "any"), "--log-file", "/proc/no/daemon.log"];
    expectRefused(await runProcess(["daemon", "--port", "0", ...log]), "/proc/no", "cannot be written");
  });

  // [D12-data-folder]
  it("reports that the database file is not a database", async () => {
    const data = join(folder, "garbage");
    await mkdir(data);
    await writeFile(
      join(data, "wireroom.db"),
      "this is no database at all, whatever its name says".repeat(100),
    );
    expectRefused(await runProcess(["daemon", "--port", "0", "--data-dir", data]), join(data, "wireroom.db"));
  });
});

describe("flags and environment variables", () => {
  const NAMES: Record<keyof Flags, [variable: string, value: string, other: string]> = {
    host: ["WIREROOM_HOST", "::1", "0.0.0.0"],
    port: ["WIREROOM_PORT", "1234", "0"],
    dataDir: ["WIREROOM_DATA_DIR", "/tmp/one", "/tmp/two"],
    databaseUrl: ["WIREROOM_DATABASE_URL", "sqlite:/tmp/one.db", "sqlite:/tmp/two.db"],
    publicUrl: ["WIREROOM_PUBLIC_URL", "https://one.example", "https://two.example"],
    oidcIssuer: ["WIREROOM_OIDC_ISSUER", "https://one.example", "https://two.example"],
    oidcAudience: ["WIREROOM_OIDC_AUDIENCE", "one", "two"],
    oidcClientId: ["WIREROOM_OIDC_CLIENT_ID", "one", "two"],
    trustedProxies: ["WIREROOM_TRUSTED_PROXIES", "10.0.0.0/8,::1", "192.0.2.1"],
    passwordGrant: ["WIREROOM_PASSWORD_GRANT", "off", "on"],
    console: ["WIREROOM_CONSOLE", "off", "on"],
    localSignIn: ["WIREROOM_LOCAL_SIGN_IN", "off", "on"],
    smtpUrl: ["WIREROOM_SMTP_URL", "smtp://one.example", "smtp://two.example"],
    corsOrigin: ["WIREROOM_CORS_ORIGINS", "https://one.example", "https://two.example"],
    limit: ["WIREROOM_LIMITS", "wires_per_day=1", "wires_per_day=2"],
    retain: ["WIREROOM_RETAIN", "30", "3650"],
    logLevel: ["WIREROOM_LOG_LEVEL", "debug", "error"],
    logFile: ["WIREROOM_LOG_FILE", "/tmp/one.log", "/tmp/two.log"],
  };
  /** Settings that are valid only together: the issuer, the audience and the client. */
  const requiredWith = {
    oidcIssuer: { oidcAudience: "x" },
    oidcAudience: { oidcIssuer: "https://one.example" },
    oidcClientId: { oidcIssuer: "https://one.example", oidcAudience: "x" },
  };

  // [D12-variables]
  it.each(Object.keys(NAMES) as (keyof Flags)[])(
    "%s: the variable is used, and the flag overrides it",
    (name) => {
      const [variable, value, other] = NAMES[name];
      const flags = { ...((requiredWith as Record<string, Flags>)[name] ?? {}) };
      const flag = (text: string) => ({
        ...flags,
        [name]: ["corsOrigin", "limit"].includes(name) ? [text] : text,
      });
      const byFlag = readSettings(flag(value), {});
      expect(readSettings(flags, { [variable]: value })).toEqual(byFlag);
      expect(readSettings(flag(value), { [variable]: other })).toEqual(byFlag);
      expect(readSettings(flag(other), { [variable]: value })).not.toEqual(byFlag);
      // An empty variable counts as unset. Half of a pair of settings is invalid.
      if (!(name in requiredWith)) expect(readSettings({}, { [variable]: "" })).toEqual(readSettings({}, {}));
    },
  );

  // [D12-host-port] [D12-data-dir] [D12-database-url] [D12-log-level] [D4-defaults]
  it("have the documented defaults", () => {
    const { dataDir, ...settings } = readSettings({}, {});
    const folders: Partial<Record<NodeJS.Platform, string>> = {
      darwin: join(homedir(), "Library", "Application Support", "wireroom"),
      win32: join(process.env.LOCALAPPDATA || join(homedir(), "AppData", "Local"), "wireroom", "Data"),
    };
    const elsewhere = join(process.env.XDG_DATA_HOME || join(homedir(), ".local", "share"), "wireroom");
    expect(dataDir).toBe(folders[process.platform] ?? elsewhere);
    expect(settings).toEqual({
      host: "127.0.0.1",
      port: 4747,
      databaseUrl: `sqlite:${join(dataDir, "wireroom.db")}`,
      publicUrl: undefined,
      oidcIssuer: undefined,
      oidcAudience: undefined,
      oidcClientId: undefined,
      oidcClientSecret: undefined,
      smtpUrl: undefined,
      trustedProxies: [],
      corsOrigins: [],
      passwordGrant: true,
      console: true,
      localSignIn: true,
      limits: {
        wires_per_minute: 60,
        wires_per_day: 2_000,
        knocks_per_hour: 20,
        spaces_per_hour: 10,
        spaces_per_account: 50,
        claims_per_handle: 20,
        schemas_per_hour: 60,
        account_factor: 10,
        handles_per_account: 50,
        handles_per_hour: 20,
        keys_per_handle: 20,
        audited_per_minute: 60,
        mentions_per_hour: 60,
        reply_hops: 100,
      },
      retainDays: null,
      logLevel: "info",
    });
  });

  // [D20-local-off]
  it.each([
    [{ host: "127.0.0.1" }, true],
    [{ host: "127.8.8.8" }, true],
    [{ host: "localhost" }, true],
    [{ host: "::1" }, true],
    [{ host: "0.0.0.0" }, false],
    [{ host: "::" }, false],
    [{ host: "192.168.1.2" }, false],
    [{ host: "127.example.com" }, false],
    [{ host: "0.0.0.0", localSignIn: "on" }, true],
    [{ localSignIn: "off" }, false],
    [{ oidcIssuer: "https://one.example", oidcAudience: "x" }, false],
    [{ oidcIssuer: "https://one.example", oidcAudience: "x", localSignIn: "on" }, false],
  ] satisfies [Flags, boolean][])("local sign-in with %j: %s", (flags, isOn) => {
    expect(readSettings(flags, {}).localSignIn).toBe(isOn);
  });

  // [D12-client-secret]
  it("a secret of the client comes from a variable alone, and is not listed", () => {
    const flags = { oidcIssuer: "https://one.example", oidcAudience: "x", oidcClientId: "web" };
    const env = { WIREROOM_OIDC_CLIENT_SECRET: "s3cret" };
    const settings = readSettings(flags, env);
    expect(settings.oidcClientSecret).toBe("s3cret");
    expect(listSettings(settings)).toMatchObject({ "--oidc-client-id": "web" });
    expect(JSON.stringify(listSettings(settings))).not.toContain("s3cret");
    expect(() => readSettings({ ...flags, oidcClientId: undefined }, env)).toThrow(
      "WIREROOM_OIDC_CLIENT_SECRET: needs --oidc-client-id",
    );
  });

  // [D12-limit] [D12-limit-none] [D4-settings] [D17-reply-hops-setting]
  it("set and disable every limit, also repeatedly; flags are added to the variable", () => {
    for (const name of LIMIT_SETTINGS) {
      expect(readSettings({ limit: [`${name}=7`] }, {}).limits[name]).toBe(7);
      expect(readSettings({ limit: [`${name}=none`] }, {}).limits[name]).toBeNull();
    }
    const env = { WIREROOM_LIMITS: "wires_per_minute=1, knocks_per_hour=none" };
    const { limits } = readSettings({ limit: ["wires_per_minute=2", "spaces_per_hour=3"] }, env);
    expect(limits).toMatchObject({ wires_per_minute: 2, knocks_per_hour: null, spaces_per_hour: 3 });
    expect(readSettings({ limit: ["reply_hops=0"] }, {}).limits.reply_hops).toBe(0);
  });
});
