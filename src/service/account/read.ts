import { listAuditEntries } from "../../store/accounts/audit.js";
import { read } from "../pipeline/handler.js";
import { DEFAULT_PAGE_SIZE, decodeCursor, toPage } from "../pipeline/pages.js";
import { parseDateTime } from "../shared/date-time.js";
import { ownHandleIncludingRetired } from "../shared/handle-by-name.js";

/** Returns the caller's account, which always exists because authentication creates it. */
export const getAccount = read("account.get", async (ctx) => ({
  id: ctx.caller.account.id,
  email: ctx.caller.account.email,
}));

export const listAudit = read("audit.list", async (ctx, input, session) => {
  const { action, limit = DEFAULT_PAGE_SIZE } = input;
  const { account } = ctx.caller;
  const since = input.since === undefined ? undefined : parseDateTime("since", input.since);
  const until = input.until === undefined ? undefined : parseDateTime("until", input.until);
  const handle =
    input.handle === undefined
      ? undefined
      : (await ownHandleIncludingRetired(session, account.pk, input.handle)).pk;
  const filters = [handle, action, since, until].map((filter) => String(filter ?? ""));
  const scope = ["audit.list", account.id, ...filters];
  const position = decodeCursor(ctx, scope, input.cursor);
  const before = position && { at: position[0]!, pk: position[1]! };
  const query = { account: account.pk, handle, action, since, until, before, limit: limit + 1 };
  const found = await listAuditEntries(session, query);
  const { items, next_cursor } = toPage(ctx, scope, found, limit, (entry) => [entry.at, entry.pk]);
  return { entries: items.map((entry) => entry.resource), next_cursor };
});
