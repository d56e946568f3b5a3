/** Exports an account as JSON lines. If accounts get a new kind of data, add it here. */
import type { ExportLine } from "../../contract/operations/account-export.js";
import type { PostingRule } from "../../contract/shapes.js";
import { now } from "../../kernel/clock.js";
import { type Encodable, encodeJson, jsonToString, RawJson } from "../../kernel/raw-json.js";
import { connectionsOfHandle } from "../../store/accounts/connections.js";
import { egressPolicy } from "../../store/accounts/egress.js";
import type { OwnedWire } from "../../store/accounts/owned.js";
import * as owned from "../../store/accounts/owned.js";
import { approvalsOfHandle, type StoredApproval } from "../../store/approvals/approvals.js";
import type { Session } from "../../store/engine/engine.js";
import { toClaim } from "../../store/wires/claims.js";
import { docOf } from "../../store/wires/pages.js";
import { prependField } from "../../store/wires/wire-json.js";
import { assertFewAudited, logAuditEvents } from "../pipeline/audit.js";
import type { Human } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import { stream } from "../pipeline/handler.js";
import { presentApprovals } from "../reading/present-approvals.js";
import { presentWire } from "../reading/present-wire.js";
import { presentAccount } from "./account.js";

/**
 * Streams all data of the account (docs/specification/dashboard-operations.md#export). The audit entry is
 * committed before the first line is sent. The export queries page by page, so that a slow client does not
 * keep a transaction open.
 */
export const exportAccount = stream("account.export", async (ctx) => {
  const { pk, id } = ctx.caller.account;
  await ctx.store.engine.write(async (tx) => {
    logAuditEvents(ctx, tx, { account: pk, handle: null, action: "data.exported", subject: `account:${id}` });
    await assertFewAudited(ctx, tx, "FORBIDDEN");
  });
  return counted(ctx);
});

async function* counted(ctx: Context<Human>): AsyncGenerator<string, void, undefined> {
  let lines = 0;
  for await (const line of exportLines(ctx, ctx.store.engine.reader, ctx.caller.account)) {
    const json = encodeJson(line);
    ctx.store.verification.assertValid(json);
    yield json;
    lines++;
  }
  const end: Extract<ExportLine, { type: "end" }> = { type: "end", lines };
  yield encodeJson(end satisfies Line);
}

export type Line = Encodable<ExportLine>;

type Lines = AsyncGenerator<Line, void, undefined>;

/** Rows per query. The limit bounds memory, because a space can carry large posting rules. */
const PAGE_SIZE = 32;
/** Lower than `PAGE_SIZE`, because each approval contains a whole wire. */
const APPROVALS_PAGE_SIZE = 4;

/** Yields all rows. Each page is a separate query, so that a slow client does not keep a statement open. */
async function* pages<Row>(
  read: (after: Row | undefined, limit: number) => Promise<Row[]>,
  size = PAGE_SIZE,
): AsyncGenerator<Row, void, undefined> {
  for (let last: Row | undefined; ; ) {
    const rows = await read(last, size);
    yield* rows;
    if (rows.length < size) return;
    last = rows.at(-1);
  }
}

export async function* exportLines(ctx: Context, session: Session, account: Human["account"]): Lines {
  yield { type: "account", ...presentAccount(ctx, account) };
  const handles = pages<owned.OwnedHandle>((after, limit) =>
    owned.handles(session, account.pk, after?.pk ?? 0, limit),
  );
  for await (const { pk, pulledAt, resource } of handles) {
    yield { type: "handle", ...resource, last_pull_at: ctx.pulls.lastPullAt(pk, pulledAt) };
    yield* linesOfHandle(ctx, session, { pk, id: resource.id, account: account.pk });
  }
  for await (const entry of pages<owned.OwnedEntry>((after, limit) =>
    owned.auditEntries(session, account.pk, after, limit),
  )) {
    yield { type: "audit", ...entry.resource };
  }
}

async function* linesOfHandle(ctx: Context, session: Session, handle: owned.Owner): Lines {
  const owner_handle_id = handle.id;
  const { floors } = ctx.store;
  const each = <Row extends { pk: number }>(
    read: (session: Session, owner: owned.Owner, after: number, limit: number) => Promise<Row[]>,
  ) => pages<Row>((after, limit) => read(session, handle, after?.pk ?? 0, limit));

  for await (const key of each(owned.keys)) yield { type: "key", ...key.resource };
  for await (const connection of each((...query) => connectionsOfHandle(...query, now()))) {
    yield { type: "connection", ...connection.resource };
  }
  yield { type: "egress", owner_handle_id, ...(await egressPolicy(session, handle.pk)) };
  const approvals = pages<StoredApproval>(
    (after, limit) => approvalsOfHandle(session, handle.pk, after?.pk ?? 0, limit, now()),
    APPROVALS_PAGE_SIZE,
  );
  for await (const approval of approvals) {
    const [line] = await presentApprovals(ctx, session, [approval], now());
    if (line) yield { type: "approval", ...line };
  }
  for await (const other of each((...query) => owned.related("contacts", ...query))) {
    yield { type: "contact", owner_handle_id, ...other.resource };
  }
  for await (const other of each((...query) => owned.related("blocks", ...query))) {
    yield { type: "block", owner_handle_id, ...other.resource };
  }
  for (const side of ["sender", "target"] as const) {
    for await (const knock of each((...query) => owned.knocks(side, ...query))) {
      yield { type: "knock", ...knock.resource };
    }
  }
  for await (const space of each(owned.spaces)) {
    yield { type: "space", ...space.resource };
    for await (const member of pages<owned.OwnedMember>((after, limit) =>
      owned.members(session, space.pk, after?.pk ?? 0, limit),
    )) {
      yield { type: "member", space_id: space.resource.id, ...member.resource };
    }
  }
  for await (const departure of each(owned.departures)) {
    yield { type: "departure", owner_handle_id, ...departure.resource };
  }
  for await (const schema of each(owned.schemas)) yield { type: "schema", ...schema.resource };
  for await (const wire of pages<owned.SentWire>((after, limit) =>
    owned.sentWires(session, handle, after, limit),
  )) {
    if (!(await floors.hides({ pk: wire.wire, retainDays: wire.retain_days })))
      yield* wireLines(session, wire);
  }
  for await (const wire of each(owned.receivedWires)) {
    if (!(await floors.hides({ pk: wire.wire, retainDays: null }))) yield* wireLines(session, wire);
  }
  for await (const notice of each(owned.spaceNotices)) {
    if (await floors.hides({ pk: notice.wire, retainDays: notice.retain_days })) continue;
    yield { type: "space_notice", owner_handle_id, ...notice.resource };
  }
  for await (const receipt of each(owned.receipts)) {
    if (await floors.hides({ pk: receipt.pk, retainDays: null })) continue;
    yield { type: "receipt", owner_handle_id, ...receipt.resource };
  }
  for await (const vote of each(owned.votes)) {
    if (await floors.hides({ pk: vote.pk, retainDays: vote.retain_days })) continue;
    yield { type: "vote", owner_handle_id, wire_id: vote.wire_id };
  }
  for await (const { pk, wire_id, retain_days, ...claim } of each(owned.claims)) {
    if (await floors.hides({ pk, retainDays: retain_days })) continue;
    yield { type: "claim", owner_handle_id, wire_id, ...toClaim(claim, now()) };
  }
}

/** Yields nothing if the wire was deleted in the meantime. */
async function* wireLines(session: Session, wire: owned.OwnedWire): Lines {
  const doc = wire.doc ?? (await docOf(session, wire.wire));
  if (doc !== undefined) yield await toWireLine(session, { ...wire, doc });
}

/** Returns a wire as an export line: the REST resource's JSON, with `"type":"wire"` as the first field. */
async function toWireLine(
  session: Session,
  wire: OwnedWire & { doc: string },
): Promise<RawJson<Extract<ExportLine, { type: "wire" }>>> {
  const { json: presented } = await presentWire(session, { ...wire, pk: wire.wire }, rulesOf(wire));
  const json = jsonToString(presented);
  return new RawJson(prependField(json, "type", '"wire"'));
}

function rulesOf(wire: OwnedWire) {
  if (wire.root_rule === null || wire.space_reply_rule === null) return null;
  return {
    rootRule: JSON.parse(wire.root_rule) as PostingRule,
    replyRule: JSON.parse(wire.space_reply_rule) as PostingRule,
    allowWireReplyRules: wire.allow_wire_reply_rules === 1,
  };
}
