/** Starts the identity provider of a test file. */
import { join } from "node:path";
import { afterAll } from "vitest";
import { type HostOptions, type IdentityHost, startIdentityHost } from "./identity-host.js";
import { TemporaryFolder } from "./temporary-folder.js";

/** Starts an identity provider with a new SQLite file. It stops after the tests of the test file. */
export async function identityFixture(options: Omit<HostOptions, "file"> = {}): Promise<IdentityHost> {
  const folder = new TemporaryFolder("wireroom-identity-");
  const host = await startIdentityHost({ ...options, file: join(folder.path, "identity.db") });
  afterAll(() => host.close());
  return host;
}
