/** Encrypted connections by `sslmode` in the database URL. docs/scaling.md describes each mode. */
import { chmod, chown, copyFile, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { StoreRefused } from "../../src/store/engine/engine.js";
import { PostgresEngine } from "../../src/store/engine/postgres/index.js";
import { expectOk, sendWire } from "../harness/api-helpers.js";
import { type Certificates, hasOpenssl, makeCertificates } from "../harness/certificates.js";
import { startDaemon } from "../harness/daemon.js";
import { type EmbeddedServer, startEmbedded } from "../harness/postgres-server.js";

const HAS_OPENSSL = await hasOpenssl();
if (!HAS_OPENSSL)
  process.stderr.write("the tests of TLS are skipped: there is no openssl to make certificates with\n");

let server: EmbeddedServer;
let plain: EmbeddedServer;
let files: Certificates;

/** The name in the server's certificate. The server also listens on addresses that are not in it. */
const HOST = "localhost";

async function administer(adminUrl: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** Installs the certificate in the server, and makes it accept the daemons' role only over TLS. */
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

/** Returns the URL for the daemons' role with these parameters, optionally with another host. */
function urlWith(parameters: Record<string, string>, host = HOST, { url } = server): string {
  const changed = new URL(url);
  changed.hostname = host;
  for (const [name, value] of Object.entries(parameters)) changed.searchParams.set(name, value);
  return changed.href;
}

/** Returns whether the connections of the engine are encrypted. */
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
    (engine) => engine.close().then(() => new Error("the engine was opened")),
    (thrown: Error) => thrown,
  );
  expect(error).toBeInstanceOf(StoreRefused);
  expect(error.message).not.toContain("wireroom:wireroom");
  return error.message;
}

describe.skipIf(!HAS_OPENSSL)("a TLS connection to PostgreSQL", () => {
  beforeAll(async () => {
    files = await makeCertificates(HOST);
    [server, plain] = await Promise.all([startEmbedded(), startEmbedded()]);
    await demandTls(server);
  }, 180_000);
  afterAll(async () => {
    await Promise.all([server.stopAndRemove(), plain.stopAndRemove()]);
    await rm(files.folder, { recursive: true, force: true });
  });

  it("is encrypted with sslmode=require, with any certificate", async () => {
    expect(await isEncrypted(urlWith({ sslmode: "require" }))).toBe(true);
    expect(await isEncrypted(urlWith({ sslmode: "require" }, "127.0.0.1"))).toBe(true);
  });

  it("with sslmode=require and a CA is rejected if another CA signed the certificate", async () => {
    expect(await refusal(urlWith({ sslmode: "require", sslrootcert: files.otherAuthority }))).toContain(
      "sslrootcert",
    );
    expect(
      await isEncrypted(urlWith({ sslmode: "require", sslrootcert: files.authority }, "127.0.0.1")),
    ).toBe(true);
  });

  it("with sslmode=verify-ca requires a CA, and accepts its certificate for any name", async () => {
    const verify = { sslmode: "verify-ca", sslrootcert: files.authority };
    expect(await isEncrypted(urlWith(verify, "127.0.0.1"))).toBe(true);
    expect(await refusal(urlWith({ ...verify, sslrootcert: files.otherAuthority }))).toContain("not trusted");
    expect(await refusal(urlWith({ sslmode: "verify-ca" }))).toContain("needs sslrootcert");
  });

  it("with sslmode=verify-full requires the CA and the name of the server; a daemon can use it", async () => {
    const url = urlWith({ sslmode: "verify-full", sslrootcert: files.authority });
    expect(await isEncrypted(url)).toBe(true);
    const daemon = await startDaemon({ args: ["--database-url", url] });
    const [alice, bob] = [await daemon.createAgent("alice"), await daemon.createAgent("bob")];
    const { id } = await sendWire(alice, "bob");
    expect((await expectOk(bob.get("/inbox"))).wires).toMatchObject([{ id }]);
    await daemon.stop();
  });

  it("with sslmode=verify-full is rejected at once for an unknown CA, no CA or another name", async () => {
    const started = performance.now();
    const verify = { sslmode: "verify-full", sslrootcert: files.authority };
    const untrusted = "the server's certificate is not trusted; set sslrootcert";
    expect(await refusal(urlWith({ ...verify, sslrootcert: files.otherAuthority }))).toContain(untrusted);
    expect(await refusal(urlWith({ sslmode: "verify-full" }))).toContain(untrusted);
    expect(await refusal(urlWith(verify, "127.0.0.1"))).toContain(
      "needs a host name that the server's certificate contains",
    );
    expect(performance.now() - started).toBeLessThan(8_000);
  });

  it("is required by the server: the error without TLS names the right setting", async () => {
    const without: Record<string, string>[] = [{}, { sslmode: "disable" }];
    for (const parameters of without) {
      expect(await refusal(urlWith(parameters))).toMatch(/no encryption.*add sslmode=verify-full/);
    }
  });

  it("is never replaced by an unencrypted one with prefer and require", async () => {
    for (const sslmode of ["prefer", "require"]) {
      expect(await refusal(urlWith({ sslmode }, HOST, plain))).toMatch(/does not support SSL.*ssl = on/);
    }
  });

  it("uses the modes of the driver if the URL selects them, with require as verify-full", async () => {
    const own = { sslmode: "require", uselibpqcompat: "false" };
    expect(await refusal(urlWith(own))).toContain("not trusted");
    expect(await isEncrypted(urlWith({ ...own, sslrootcert: files.authority }))).toBe(true);
  });

  it("is rejected for an unknown mode and a missing file, with their names", async () => {
    expect(await refusal(urlWith({ sslmode: "verify_full" }))).toContain('not "verify_full"');
    expect(await refusal(urlWith({ sslmode: "require", sslrootcert: "/no/such.pem" }))).toContain(
      "cannot read /no/such.pem; sslrootcert in the database URL must name a file",
    );
  });
});
