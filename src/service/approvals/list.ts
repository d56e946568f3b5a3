/** Lists approvals, or waits for the next pending one. */
import { invalid } from "../../contract/errors.js";
import type { Input } from "../../contract/index.js";
import type { Approval } from "../../contract/operations/approvals.js";
import { cutPage } from "../../contract/page-size.js";
import { now } from "../../kernel/clock.js";
import { encodeJson, RawJson } from "../../kernel/raw-json.js";
import { approvalPage, pendingApprovalPage, undecidedApprovals } from "../../store/approvals/list.js";
import type { Session } from "../../store/engine/engine.js";
import { ownHandleIncludingRetired } from "../access/handles.js";
import type { Human } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import { read } from "../pipeline/handler.js";
import { DEFAULT_PAGE_SIZE, decodeCursor, jsonSize, withCursor } from "../pipeline/pages.js";
import { presentApprovals } from "../reading/present-approvals.js";
import { readOrWait } from "../reading/read-or-wait.js";

interface SentPage {
  approvals: RawJson<Approval>[];
  next_cursor: string | null;
}

export const listApprovals = read("approvals.list", async (ctx, input, session) => {
  const { account } = ctx.caller;
  assertPendingIfFollowed(input);
  const handle =
    input.handle === undefined
      ? undefined
      : (await ownHandleIncludingRetired(session, account.pk, input.handle)).pk;
  if (input.wait === undefined) return readPage(ctx, session, input, handle);
  return readOrWait(ctx, {
    wait: input.wait,
    topics: { approvals: account.pk },
    read: () => readPage(ctx, session, input, handle),
    isNew: ({ approvals, next_cursor }) =>
      approvals.length > 0 ||
      (input.decisions === "true" && input.cursor !== undefined && next_cursor !== input.cursor),
  });
});

async function readPage(
  ctx: Context<Human>,
  session: Session,
  { status, limit = DEFAULT_PAGE_SIZE, cursor, wait, decisions }: Input<"approvals.list">,
  handle: number | undefined,
): Promise<SentPage> {
  const { account } = ctx.caller;
  const at = now();
  const isFollowed = wait !== undefined;
  const kind = isFollowed ? "followed" : (status ?? "");
  const scope = ["approvals.list", account.id, String(handle ?? ""), kind];
  const start = decodeCursor(ctx, scope, cursor);
  const query = { account: account.pk, handle, limit, at };
  const found = isFollowed
    ? await pendingApprovalPage(session, { ...query, after: start?.[0] ?? 0 })
    : await approvalPage(session, {
        ...query,
        status,
        after: start && { isPending: start[0]!, pk: start[1]! },
      });
  const stored = found.items.flatMap(({ approval }) => approval ?? []);
  const approvals = await presentApprovals(ctx, session, stored, at);
  const shown = new Map(stored.map(({ pk }, n) => [pk, approvals[n] ?? null]));
  const rows = found.items.map(({ position, approval }) => {
    const resource = approval && shown.get(approval.pk);
    return { position, json: resource ? encodeJson(resource) : null };
  });
  const page = cutPage(rows, limit, ({ json }) => (json === null ? 0 : jsonSize({ json })));
  const hasMore = page.hasMore || found.hasMore;
  const { items, next_cursor } = withCursor(ctx, scope, { ...page, hasMore }, (row) => row.position);
  const toSent = (shown: typeof items) =>
    shown.flatMap(({ json }) => (json === null ? [] : new RawJson<Approval>(json)));
  if (!isFollowed) return { approvals: toSent(items), next_cursor };
  const last = items.at(-1)?.position[0] ?? start?.[0] ?? 0;
  if (decisions !== "true")
    return { approvals: toSent(items), next_cursor: ctx.cursors.encode(scope, [last]) };
  const undecided = await undecidedApprovals(session, { account: account.pk, handle, last });
  return {
    // Leave out approvals decided since the page was read, because the cursor no longer counts them.
    approvals: toSent(items.filter(({ position }) => undecided.includes(position[0]!))),
    // The sum decreases with each decision, so the cursor changes.
    next_cursor: ctx.cursors.encode(scope, [last, undecided.reduce((sum, pk) => sum + pk, 0)]),
  };
}

function assertPendingIfFollowed({ status, wait }: Input<"approvals.list">): void {
  if (wait === undefined || status === undefined || status === "pending") return;
  const message = "`wait` returns pending approvals; leave out `status`, or set it to `pending`";
  throw invalid({ instancePath: "/wait", keyword: "status", message });
}
