import { invalid } from "../../contract/errors.js";
import { now } from "../../kernel/clock.js";
import { handleSlug } from "../../kernel/names.js";
import { setSuspended } from "../../store/accounts/handles.js";
import { recordAuditForBoth } from "../pipeline/audit.js";
import { write } from "../pipeline/handler.js";
import { namedHandle } from "../shared/named-handle.js";
import { assertOperator } from "./assert-operator.js";

export const setSuspendedHandler = write(
  "operator.setSuspended",
  async (ctx, { slug: name, suspended }, tx) => {
    await assertOperator(ctx, tx);
    await tx.lock("handles", "slug", [handleSlug(name)]);
    const handle = await namedHandle(tx, name);
    if (handle.pk === ctx.caller.pk) {
      const message = "an operator cannot suspend or restore itself; name another handle";
      throw invalid({ instancePath: "/slug", keyword: "slug", message });
    }
    const { slug } = handle.resource;
    if (await setSuspended(tx, handle.pk, suspended ? now() : null)) {
      recordAuditForBoth(ctx, tx, {
        account: handle.account,
        handle: handle.pk,
        action: suspended ? "handle.suspended" : "handle.restored",
        subject: `@${slug}`,
      });
    }
    tx.publish({ topic: "standing", handle: handle.pk });
    return { slug, suspended };
  },
);
