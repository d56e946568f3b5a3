/** Reads everything that a SQLite file contains, without a daemon. */
import { INBOX_KIND, NOTICE } from "../../src/store/inbox/notices.js";
import { withDatabase } from "../../test/harness/database.js";
import { now } from "../load/ledger.js";
import { oldBefore, SPACES, type World } from "../load/world.js";
import type { Observed, ObservedInbox, ObservedWire } from "./observed.js";

interface WireRow {
  pk: number;
  id: string;
  sender: string;
  space: string | null;
  votes: number;
  removed_by: string | null;
  doc: string;
  attempt: number | null;
  done: number | null;
}

interface InboxRow {
  slug: string;
  seq: number;
  kind: number;
  notice: number | null;
  ref: number;
  /** Id of the wire that the approval is about. */
  wire: string | null;
  status: string | null;
}

/**
 * Returns everything that retention does not hide, except search results, because only a daemon can search.
 */
export async function observeFile(world: World, dataDir: string): Promise<Observed> {
  return withDatabase(dataDir, async (db) => {
    // Do not sync when the file is closed, because it is thrown away.
    await db.run("PRAGMA synchronous = OFF");
    const rows = await db.all<WireRow>(
      `SELECT w.pk, w.id, h.slug AS sender, s.slug AS space, w.vote_count AS votes, w.removed_by, w.doc,
         c.attempt, c.done
       FROM wires w JOIN handles h ON h.pk = w.sender LEFT JOIN spaces s ON s.pk = w.space
         LEFT JOIN claims c ON c.wire = w.pk
       WHERE w.created_at >= ${oldBefore()} ORDER BY w.pk`,
    );
    const byPk = new Map(rows.map((row) => [row.pk, observed(row)]));
    const inboxes = new Map<string, ObservedInbox>();
    const counted = new Map<string, number>();
    for (const { slug } of world.agents) {
      const lists = { wires: [], notices: [], spaceNotices: [], decisions: [] };
      inboxes.set(slug, { ...lists, checkpoint: 0, readAt: now() });
      counted.set(slug, rows.filter(({ sender }) => sender === slug).length);
    }
    const items = await db.all<InboxRow>(
      `SELECT h.slug, i.seq, i.kind, i.notice, abs(i.ref) AS ref, a.ref AS wire, a.status
       FROM inbox i JOIN handles h ON h.pk = i.handle
         LEFT JOIN approvals a ON i.notice = ${NOTICE.approval} AND a.pk = -i.ref ORDER BY i.handle, i.seq`,
    );
    const itemsBefore = new Map(world.agents.map((agent) => [agent.slug, agent.itemsBefore]));
    for (const { slug, seq, kind, notice, ref, wire: id, status } of items) {
      if (seq <= itemsBefore.get(slug)!) continue;
      const inbox = inboxes.get(slug)!;
      if (notice === NOTICE.approval) {
        inbox.decisions.push({ id: id!, status: status! });
        continue;
      }
      const wire = byPk.get(ref);
      if (!wire) throw new Error(`an inbox item of ${slug} has no wire`);
      if (kind === INBOX_KIND.wire) inbox.wires.push(wire);
      else if (notice === null) inbox.notices.push(wire.id);
      else inbox.spaceNotices.push({ id: wire.id, reason: notice === NOTICE.mention ? "mention" : "reply" });
    }
    const checkpoints = await db.all<{ slug: string; seq: number }>(
      "SELECT h.slug, c.seq FROM checkpoints c JOIN handles h ON h.pk = c.handle",
    );
    for (const { slug, seq } of checkpoints)
      inboxes.get(slug)!.checkpoint = Math.max(0, seq - itemsBefore.get(slug)!);
    const feeds = new Map(
      Object.values(SPACES).map((space) => [
        space,
        rows.filter((row) => row.space === space).map((row) => byPk.get(row.pk)!),
      ]),
    );
    const miscounted = await db.all<{ id: string }>(
      "SELECT id FROM wires w WHERE vote_count <> (SELECT count(*) FROM votes v WHERE v.wire = w.pk)",
    );
    if (miscounted.length > 0) throw new Error(`the votes of ${miscounted[0]!.id} are not those counted`);
    return { inboxes, feeds, counted, found: new Map() };
  });
}

function observed({ id, votes, removed_by, doc, attempt, done }: WireRow): ObservedWire {
  const { text_body } = JSON.parse(doc) as { text_body: string | null };
  if ((text_body === null) !== (removed_by !== null)) throw new Error(`wire ${id} is half removed`);
  return {
    id,
    name: text_body?.split(" ", 1)[0],
    votes,
    claim: { attempt: attempt ?? 0, isDone: done === 1, until: 0 },
  };
}
