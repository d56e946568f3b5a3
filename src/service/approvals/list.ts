import type { Approval } from "../../contract/operations/approvals.js";
import { now } from "../../kernel/clock.js";
import { encodeJson, Verbatim } from "../../kernel/verbatim.js";
import { listApprovals } from "../../store/approvals.js";
import { read } from "../pipeline/handler.js";
import { DEFAULT_PAGE, pageOf, positionOf } from "../pipeline/pages.js";
import { ownHandle } from "../shared/own-handle.js";
import { presentApprovals } from "../shared/present-approvals.js";

export const listApprovalsHandler = read("approvals.list", async (ctx, input, session) => {
  const { status, limit = DEFAULT_PAGE } = input;
  const { account } = ctx.caller;
  const at = now();
  const handle = input.handle === undefined ? undefined : await ownHandle(session, account.pk, input.handle);
  const scope = ["approvals.list", account.id, String(handle ?? ""), status ?? ""];
  const position = positionOf(ctx, scope, input.cursor);
  const after = position && { isPending: position[0]!, pk: position[1]! };
  const query = { account: account.pk, handle, status, after, limit: limit + 1, at };
  const found = await listApprovals(session, query);
  const { items, next_cursor } = pageOf(ctx, scope, found, limit, (approval) => [
    approval.status === "pending" ? 1 : 0,
    approval.pk,
  ]);
  const approvals = await presentApprovals(session, items, at);
  return { approvals: approvals.map((one) => new Verbatim<Approval>(encodeJson(one))), next_cursor };
});
