import type { ExportLine } from "../../contract/operations/account-export.js";
import { encodeJson } from "../../kernel/verbatim.js";
import { recordAudit } from "../pipeline/audit.js";
import type { Context, Human } from "../pipeline/context.js";
import { stream } from "../pipeline/handler.js";
import { type Line, ownedLines } from "./owned-lines.js";

/**
 * GET /export. That it was begun is in the log before the first line goes out. Nothing is held between two pages, neither
 * a transaction nor more than a page of memory, however slowly it is read.
 */
export const exportAccount = stream("account.export", async (ctx) => {
  const { pk, id } = ctx.caller.account;
  await ctx.store.engine.write(async (tx) =>
    recordAudit(ctx, tx, { account: pk, handle: null, action: "data.exported", subject: `account:${id}` }),
  );
  return counted(ctx);
});

async function* counted(ctx: Context<Human>): AsyncGenerator<string, void, undefined> {
  let lines = 0;
  for await (const line of ownedLines(ctx.store.engine.reader, ctx.caller.account)) {
    yield encodeJson(line);
    lines++;
  }
  const end: Extract<ExportLine, { type: "end" }> = { type: "end", lines };
  yield encodeJson(end satisfies Line);
}
