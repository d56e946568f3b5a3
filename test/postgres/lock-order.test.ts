/**
 * Tests of the order in which transactions lock rows
 * (docs/decisions/015-run-several-daemons-on-one-postgresql.md).
 */
import { expect, it } from "vitest";
import { expectOk } from "../harness/api-helpers.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { withDatabase } from "../harness/database.js";
import { OAUTH_DAEMON, OAuthHuman } from "../harness/oauth.js";

const { daemon } = await daemonFixture([], OAUTH_DAEMON);

const WAITING =
  "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

// [D16-account-delete]
it("DELETE /accounts/me locks the handles before the sign-in, as POST /keys does", async () => {
  const human = await OAuthHuman.signUp(daemon);
  const { body } = await human.passwordGrant();
  const owner = daemon.client(body.id_token);
  const { id } = await expectOk(owner.post("/handles", { slug: "leaver" }), 201);
  await withDatabase(daemon.dataDir, async (db) => {
    await db.run("BEGIN");
    await db.all("SELECT 1 FROM handles WHERE id = ? FOR NO KEY UPDATE", id);
    const deleted = owner.request("DELETE", "/accounts/me", { email: human.email });
    await expect.poll(() => db.all(WAITING)).toHaveLength(1);
    await db.all("SELECT 1 FROM sign_ins FOR NO KEY UPDATE NOWAIT");
    await db.run("COMMIT");
    await expectOk(deleted);
  });
});
