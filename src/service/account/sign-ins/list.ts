import type { SignIn } from "../../../contract/operations/connections.js";
import { isoTime, now } from "../../../kernel/clock.js";
import { signInsOfHuman } from "../../../store/accounts/sign-ins.js";
import { read } from "../../pipeline/handler.js";
import { DEFAULT_PAGE_SIZE, decodeCursor, toPage } from "../../pipeline/pages.js";

export const listSignIns = read(
  "signIns.list",
  async (ctx, { cursor, limit = DEFAULT_PAGE_SIZE }, session) => {
    const { account, human, grantId } = ctx.caller;
    const scope = ["signIns.list", account.id];
    const before = decodeCursor(ctx, scope, cursor)?.[0] ?? Number.MAX_SAFE_INTEGER;
    const found = await signInsOfHuman(session, { human, before, limit: limit + 1, at: now() });
    const { items, next_cursor } = toPage(ctx, scope, found, limit, ({ pk }) => [pk]);
    const sign_ins = items.map((each) => ({
      id: each.id,
      client: each.clientId as SignIn["client"],
      created_at: isoTime(each.createdAt),
      last_used_at: isoTime(each.lastUsedAt),
      current: each.grantId === grantId,
    }));
    return { sign_ins, next_cursor };
  },
);
