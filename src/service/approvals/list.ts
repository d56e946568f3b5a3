import type { Approval } from "../../contract/operations/approvals.js";
import { cutPage } from "../../contract/page-size.js";
import { now } from "../../kernel/clock.js";
import { encodeJson, RawJson } from "../../kernel/raw-json.js";
import { listApprovals } from "../../store/approvals.js";
import { read } from "../pipeline/handler.js";
import { DEFAULT_PAGE_SIZE, decodeCursor, jsonSize, withCursor } from "../pipeline/pages.js";
import { ownHandlePk } from "../shared/own-handle.js";
import { presentApprovals } from "../shared/present-approvals.js";

export const listApprovalsHandler = read("approvals.list", async (ctx, input, session) => {
  const { status, limit = DEFAULT_PAGE_SIZE } = input;
  const { account } = ctx.caller;
  const at = now();
  const handle =
    input.handle === undefined ? undefined : await ownHandlePk(session, account.pk, input.handle);
  const scope = ["approvals.list", account.id, String(handle ?? ""), status ?? ""];
  const position = decodeCursor(ctx, scope, input.cursor);
  const after = position && { isPending: position[0]!, pk: position[1]! };
  const found = await listApprovals(session, { account: account.pk, handle, status, after, limit, at });
  const stored = found.items.map(({ approval }) => approval);
  const approvals = await presentApprovals(session, stored, at);
  const rows = found.items.map(({ position }, n) => ({ position, json: encodeJson(approvals[n]) }));
  const page = cutPage(rows, limit, jsonSize);
  const hasMore = page.hasMore || found.hasMore;
  const { items, next_cursor } = withCursor(ctx, scope, { ...page, hasMore }, (row) => row.position);
  return { approvals: items.map(({ json }) => new RawJson<Approval>(json)), next_cursor };
});
