import { expect, it } from "vitest";
import { createSpace, expectOk, sendWire } from "../harness/api-helpers.js";
import { NO_LIMITS } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { withDatabase } from "../harness/database.js";

const { daemon, alice } = await hostedFixture(["alice"], { args: NO_LIMITS });

/**
 * Without merges, this many posts one after another leave 30 segments, because FTS5 itself only merges 16 of
 * a level.
 */
const POSTS = 255;
const SETTING = "SELECT v FROM wires_fts_config WHERE k = 'automerge'";
const SEGMENTS = "SELECT count(DISTINCT segid) AS v FROM wires_fts_idx";

const cellOf = (sql: string) =>
  withDatabase(daemon.dataDir, async (database) => (await database.all<{ v: number }>(sql))[0]?.v);

it("merges the segments of the search index beside the posts, and never within one", async () => {
  await createSpace(alice, "notes");
  for (let n = 0; n < POSTS; n++) await sendWire(alice, "#notes", { text: `needle ${n}` });
  expect(await cellOf(SETTING)).toBe(0);
  await expect.poll(() => cellOf(SEGMENTS), { timeout: 10_000 }).toBeLessThan(12);
  const { wires } = await expectOk(alice.get("/spaces/notes/search?q=needle&limit=100"));
  expect(wires).toHaveLength(100);
});
