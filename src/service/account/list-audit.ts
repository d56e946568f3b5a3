import { listAuditEntries } from "../../store/accounts/audit.js";
import { read } from "../pipeline/handler.js";
import { DEFAULT_PAGE, pageOf, positionOf } from "../pipeline/pages.js";
import { ownHandle } from "../shared/own-handle.js";
import { momentOf } from "../shared/times.js";

export const listAudit = read("audit.list", async (ctx, input, session) => {
  const { action, limit = DEFAULT_PAGE } = input;
  const { account } = ctx.caller;
  const handle = input.handle === undefined ? undefined : await ownHandle(session, account.pk, input.handle);
  const since = input.since === undefined ? undefined : momentOf("since", input.since);
  const until = input.until === undefined ? undefined : momentOf("until", input.until);
  const filters = [handle, action, since, until].map((filter) => String(filter ?? ""));
  const scope = ["audit.list", account.id, ...filters];
  const position = positionOf(ctx, scope, input.cursor);
  const before = position && { at: position[0]!, pk: position[1]! };
  const query = { account: account.pk, handle, action, since, until, before, limit: limit + 1 };
  const found = await listAuditEntries(session, query);
  const { items, next_cursor } = pageOf(ctx, scope, found, limit, (entry) => [entry.at, entry.pk]);
  return { entries: items.map((entry) => entry.resource), next_cursor };
});
