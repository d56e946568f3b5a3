import { invalid } from "../../contract/errors.js";
import { now } from "../../kernel/clock.js";
import { handleSlug } from "../../kernel/names.js";
import { endIssuedTokens } from "../../store/accounts/access-tokens.js";
import { setSuspended } from "../../store/accounts/handles.js";
import { logAuditEventForBothAccounts } from "../pipeline/audit.js";
import { write } from "../pipeline/handler.js";
import { handleByName } from "../shared/handle-by-name.js";
import { assertOperator } from "./assert-operator.js";

export const setSuspendedHandler = write(
  "operator.setSuspended",
  async (ctx, { slug: name, suspended, reason }, tx) => {
    await assertOperator(ctx, tx);
    await tx.lock("handles", "slug", [handleSlug(name)]);
    const handle = await handleByName(tx, name);
    if (handle.pk === ctx.caller.pk) {
      const message = "an operator cannot suspend or restore itself; choose another handle";
      throw invalid({ instancePath: "/slug", keyword: "slug", message });
    }
    const { slug } = handle.resource;
    if (await setSuspended(tx, handle.pk, suspended ? now() : null)) {
      if (suspended) await endIssuedTokens(tx, handle.pk, now());
      logAuditEventForBothAccounts(ctx, tx, {
        account: handle.account,
        handle: handle.pk,
        action: suspended ? "handle.suspended" : "handle.restored",
        subject: `@${slug}`,
        reason,
      });
    }
    tx.publish({ topic: "status", handle: handle.pk });
    return { slug, suspended };
  },
);
