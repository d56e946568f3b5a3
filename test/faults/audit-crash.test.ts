import { describe, expect, it } from "vitest";
import { type AgentClient, type Body, NO_LIMITS_FEW_LOGS } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { withDatabase } from "../harness/database.js";

const ROUNDS = 2;
/** A round starts a daemon, which may take long on a busy machine. */
const ROUND_TIMEOUT_MS = 30_000;
const HANDLES = 24;

const { daemon } = await daemonFixture([], { args: NO_LIMITS_FEW_LOGS });

/** Returns the status of a response, or undefined if the connection broke. */
async function statusOf(reply: Promise<{ status: number }>): Promise<number | undefined> {
  try {
    return (await reply).status;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

const queryDatabase = (sql: string) => withDatabase(daemon.dataDir, (db) => db.all<Body>(sql));

describe("SIGKILL while handles are created, get keys and are retired", () => {
  // [D9-audit-same-transaction] [D9-retire]
  it(`each operation is complete or has no effect, and the log matches, in ${ROUNDS} rounds`, {
    timeout: ROUNDS * ROUND_TIMEOUT_MS,
  }, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const handles: AgentClient[] = [];
      for (let n = 0; n < HANDLES; n++)
        handles.push(await daemon.createAgent(`h-${round}-${n}`, { bio: "here" }, "owner"));
      const owner = handles[0]!.owner;
      const retired: string[] = [];
      const work = handles.map(async ({ slug, id }) => {
        await statusOf(owner.post("/keys", { handle_id: id }));
        if ((await statusOf(owner.delete(`/handles/${slug}`))) === 200) retired.push(slug);
      });
      await new Promise((resolve) => setTimeout(resolve, 10 + 25 * round));
      await daemon.kill();
      await Promise.all(work);
      await daemon.restart();

      const gone = await queryDatabase("SELECT slug FROM handles WHERE retired_at IS NOT NULL");
      expect(gone.map(({ slug }) => slug)).toEqual(expect.arrayContaining(retired));
      // The keys of a retired handle give no access. The start revokes those that the killed daemon has not
      // revoked yet.
      const isErased = async () => (await queryDatabase("SELECT handle FROM erasures")).length === 0;
      await expect.poll(isErased, { timeout: ROUND_TIMEOUT_MS / 2 }).toBe(true);
      const torn =
        await queryDatabase(`SELECT h.slug FROM handles h WHERE (h.retired_at IS NULL) <> (h.bio IS NOT NULL)
        OR h.retired_at IS NOT NULL AND EXISTS (SELECT 1 FROM api_keys k WHERE k.handle = h.pk AND k.revoked_at IS NULL)
        OR h.retired_at IS NULL AND EXISTS (SELECT 1 FROM api_keys k WHERE k.handle = h.pk AND k.revoked_at IS NOT NULL)`);
      expect(torn).toEqual([]);
      const [recorded] = await queryDatabase(`SELECT
        (SELECT count(*) FROM handles) - (SELECT count(*) FROM audit WHERE action = 'handle.created') AS created,
        (SELECT count(*) FROM api_keys) - (SELECT count(*) FROM audit WHERE action = 'key.issued') AS issued,
        (SELECT count(*) FROM handles WHERE retired_at IS NOT NULL)
          - (SELECT count(*) FROM audit WHERE action = 'handle.retired') AS retired`);
      expect(recorded).toEqual({ created: 0, issued: 0, retired: 0 });
    }
  });
});
