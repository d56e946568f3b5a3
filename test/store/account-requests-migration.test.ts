/** Migration of a database from before sign-ups were identified by address and password. */
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { SqliteEngine } from "../../src/store/engine/sqlite/index.js";
import { identityClient, newEmail, PASSWORD } from "../harness/identity-client.js";
import { type IdentityHost, startIdentityHost } from "../harness/identity-host.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

const folder = new TemporaryFolder("account-requests-");
let host: IdentityHost;
const { newAccount, post, refresh, signIn } = identityClient(() => host);

afterAll(() => host.close());

it("the migration keeps accounts and their sign-ins, and ends pending sign-ups", async () => {
  const file = join(folder.path, "old.db");
  host = await startIdentityHost({ file });
  const email = await newAccount();
  const { body: tokens } = await signIn(email);
  const { port } = host;
  await host.close();

  const pending = newEmail();
  const engine = await SqliteEngine.open(file);
  await engine.write(async (tx) => {
    for (const statement of [
      "DROP TABLE identity_requests",
      "DROP TABLE identity_sent_mails",
      "ALTER TABLE identity_users DROP COLUMN version",
      "DELETE FROM migrations WHERE name IN ('account-requests', 'mail-turns')",
    ])
      await tx.run(statement);
    await tx.run(
      `INSERT INTO identity_sign_ups (email, password_hash, code_hash, tries, created_at, expires_at)
       VALUES (?, 'stranger', 'code', 0, 0, 9000000000000)`,
      [pending],
    );
  });
  await engine.close();

  host = await startIdentityHost({ file, port });
  expect((await refresh(tokens.refresh_token)).status).toBe(200);
  expect((await signIn(email)).status).toBe(200);
  await post("sign-up", { email: pending, password: PASSWORD });
  const code = host.code(pending);
  expect((await post("confirm", { email: pending, code, password: PASSWORD })).status).toBe(200);
  expect((await signIn(pending)).status).toBe(200);
});
