import type { ExportLine } from "../../contract/operations/account-export.js";
import { encodeJson } from "../../kernel/raw-json.js";
import { assertFewAudited, logAuditEvents } from "../pipeline/audit.js";
import type { Human } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import { stream } from "../pipeline/handler.js";
import { exportLines, type Line } from "./export-lines.js";

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
