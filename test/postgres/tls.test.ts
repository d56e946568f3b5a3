/** Encrypted connections, as `sslmode` in the database URL asks for them: docs/scaling.md says what each does. */
import { chmod, chown, copyFile, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { StoreRefused } from "../../src/store/engine/engine.js";
import { PostgresEngine } from "../../src/store/engine/postgres/index.js";
import { type Certificates, hasOpenssl, makeCertificates } from "../harness/certificates.js";
import { startDaemon } from "../harness/daemon.js";
import { type EmbeddedServer, startEmbedded } from "../harness/postgres-server.js";
import { ok, send } from "../harness/talk.js";

const HAS_OPENSSL = await hasOpenssl();
if (!HAS_OPENSSL)
  process.stderr.write("the tests of TLS are skipped: there is no openssl to make certificates with\n");

let server: EmbeddedServer;
let plain: EmbeddedServer;
let files: Certificates;

/** The name in the server's certificate. It listens on this host's addresses too, which are not in it. */
const HOST = "localhost";

async function administer(adminUrl: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** Gives the server its certificate, and has it take the daemons' role by encrypted connections alone. */
async function demandTls({ dataDir, adminUrl }: EmbeddedServer): Promise<void> {
  const { uid, gid } = await stat(dataDir);
  for (const [from, name] of [
    [files.certificate, "server.crt"],
    [files.key, "server.key"],
  ] as const) {
    const file = join(dataDir, name);
    await copyFile(from, file);
    await chown(file, uid, gid);
    await chmod(file, 0o600);
  }
  const rules = join(dataDir, "pg_hba.conf");
  await writeFile(rules, `hostnossl all wireroom all reject\n${await readFile(rules, "utf8")}`);
  await administer(adminUrl, "ALTER SYSTEM SET ssl = on", "SELECT pg_reload_conf()");
}

/** The daemons' URL, by another host where one is given, with these parameters. */
function urlWith(parameters: Record<string, string>, host = HOST, { url } = server): string {
  const changed = new URL(url);
  changed.hostname = host;
  for (const [name, value] of Object.entries(parameters)) changed.searchParams.set(name, value);
  return changed.href;
}

/** Whether the engine's connections are encrypted. */
async function isEncrypted(url: string): Promise<boolean> {
  const engine = await PostgresEngine.open(url);
  try {
    const row = await engine.reader.get<{ ssl: number }>(
      "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()",
    );
    return row!.ssl === 1;
  } finally {
    await engine.close();
  }
}

async function refusal(url: string): Promise<string> {
  const error = await PostgresEngine.open(url).then(
    (engine) => engine.close().then(() => new Error("it was opened")),
    (thrown: Error) => thrown,
  );
  expect(error).toBeInstanceOf(StoreRefused);
  expect(error.message).not.toContain("wireroom:wireroom");
  return error.message;
}

describe.skipIf(!HAS_OPENSSL)("TLS to PostgreSQL", () => {
  beforeAll(async () => {
    files = await makeCertificates(HOST);
    [server, plain] = await Promise.all([startEmbedded(), startEmbedded()]);
    await demandTls(server);
  }, 180_000);
  afterAll(async () => {
    await Promise.all([server.stop(), plain.stop()]);
    await rm(files.folder, { recursive: true, force: true });
  });

  it("require encrypts, whoever signed the certificate and whatever name is in it", async () => {
    expect(await isEncrypted(urlWith({ sslmode: "require" }))).toBe(true);
    expect(await isEncrypted(urlWith({ sslmode: "require" }, "127.0.0.1"))).toBe(true);
  });

  it("require with an authority takes no certificate that it has not signed", async () => {
    expect(await refusal(urlWith({ sslmode: "require", sslrootcert: files.stranger }))).toContain(
      "sslrootcert",
    );
    expect(
      await isEncrypted(urlWith({ sslmode: "require", sslrootcert: files.authority }, "127.0.0.1")),
    ).toBe(true);
  });

  it("verify-ca wants to know the authority, and takes what it signed under any name", async () => {
    const verify = { sslmode: "verify-ca", sslrootcert: files.authority };
    expect(await isEncrypted(urlWith(verify, "127.0.0.1"))).toBe(true);
    expect(await refusal(urlWith({ ...verify, sslrootcert: files.stranger }))).toContain("not trusted");
    expect(await refusal(urlWith({ sslmode: "verify-ca" }))).toContain("needs sslrootcert");
  });

  it("verify-full takes the server under its own name, signed by the authority; a daemon serves over it", async () => {
    const url = urlWith({ sslmode: "verify-full", sslrootcert: files.authority });
    expect(await isEncrypted(url)).toBe(true);
    const daemon = await startDaemon({ args: ["--database-url", url] });
    const [alice, bob] = [await daemon.agent("alice"), await daemon.agent("bob")];
    const { id } = await send(alice, "bob");
    expect((await ok(bob.get("/inbox"))).wires).toMatchObject([{ id }]);
    await daemon.stop();
  });

  it("verify-full refuses at once another authority, none that is known, and another name", async () => {
    const started = performance.now();
    const verify = { sslmode: "verify-full", sslrootcert: files.authority };
    const untrusted = "the server's certificate is not trusted: name the file of its certificate authority";
    expect(await refusal(urlWith({ ...verify, sslrootcert: files.stranger }))).toContain(untrusted);
    expect(await refusal(urlWith({ sslmode: "verify-full" }))).toContain(untrusted);
    expect(await refusal(urlWith(verify, "127.0.0.1"))).toContain(
      "a server only under a name in its certificate",
    );
    expect(performance.now() - started).toBeLessThan(8_000);
  });

  it("without TLS a server that demands it says so, and the refusal what would be right", async () => {
    const without: Record<string, string>[] = [{}, { sslmode: "disable" }];
    for (const parameters of without) {
      expect(await refusal(urlWith(parameters))).toMatch(/no encryption.*add sslmode=verify-full/);
    }
  });

  it("prefer and require do not go on without TLS where the server has none", async () => {
    for (const sslmode of ["prefer", "require"]) {
      expect(await refusal(urlWith({ sslmode }, HOST, plain))).toMatch(/does not support SSL.*ssl = on/);
    }
  });

  it("the driver's own modes, where the URL asks for them, take require for verify-full", async () => {
    const own = { sslmode: "require", uselibpqcompat: "false" };
    expect(await refusal(urlWith(own))).toContain("not trusted");
    expect(await isEncrypted(urlWith({ ...own, sslrootcert: files.authority }))).toBe(true);
  });

  it("a mode that does not exist and a file that is not there are refused by name", async () => {
    expect(await refusal(urlWith({ sslmode: "verify_full" }))).toContain('not "verify_full"');
    expect(await refusal(urlWith({ sslmode: "require", sslrootcert: "/no/such.pem" }))).toContain(
      "sslrootcert in the database URL names /no/such.pem, which cannot be read",
    );
  });
});
