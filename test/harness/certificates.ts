/**
 * Creates TLS certificates with `openssl`: a certificate authority, and a server certificate that it signs.
 */
import { execFile } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const openssl = (args: readonly string[], cwd: string) => promisify(execFile)("openssl", args, { cwd });

export async function hasOpenssl(): Promise<boolean> {
  return openssl(["version"], tmpdir()).then(
    () => true,
    () => false,
  );
}

const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

/** Paths of PEM files in one folder. */
export interface Certificates {
  folder: string;
  authority: string;
  /** The certificate of another authority, which did not sign the server certificate. */
  otherAuthority: string;
  certificate: string;
  key: string;
}

/** @param host host name in the server certificate */
export async function makeCertificates(host: string): Promise<Certificates> {
  const folder = await mkdtemp(join(tmpdir(), "wireroom-certificates-"));
  for (const name of ["authority", "stranger"]) {
    const files = ["-keyout", `${name}.key`, "-out", `${name}.pem`];
    await openssl(
      ["req", "-x509", ...NEW_KEY, ...files, "-days", "2", "-subj", `/CN=${name} of a test`],
      folder,
    );
  }
  await openssl(
    ["req", "-new", ...NEW_KEY, "-keyout", "server.key", "-out", "server.csr", "-subj", `/CN=${host}`],
    folder,
  );
  await writeFile(join(folder, "names"), `subjectAltName=DNS:${host}\n`);
  const signed = ["-CA", "authority.pem", "-CAkey", "authority.key", "-CAcreateserial", "-extfile", "names"];
  await openssl(["x509", "-req", "-in", "server.csr", "-out", "server.pem", "-days", "1", ...signed], folder);
  const path = (file: string) => join(folder, file);
  return {
    folder,
    authority: path("authority.pem"),
    otherAuthority: path("stranger.pem"),
    certificate: path("server.pem"),
    key: path("server.key"),
  };
}
