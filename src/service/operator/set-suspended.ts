import { invalid } from "../../contract/errors.js";
import { now } from "../../kernel/clock.js";
import { handleSlug } from "../../kernel/names.js";
import { endIssuedTokens } from "../../store/accounts/access-tokens.js";
import { lockAccount, setAccountSuspended } from "../../store/accounts/accounts.js";
import { liveHandles, type StoredHandle, setSuspended } from "../../store/accounts/handles.js";
import type { Transaction } from "../../store/engine/engine.js";
import { logAuditEventForBothAccounts } from "../pipeline/audit.js";
import { write } from "../pipeline/handler.js";
import { handleByName } from "../shared/handle-by-name.js";
import { assertOperator } from "./assert-operator.js";

export const setSuspendedHandler = write(
  "operator.setSuspended",
  async (ctx, { slug: name, suspended, account: isWholeAccount = false, reason }, tx) => {
    await assertOperator(ctx, tx);
    if (!isWholeAccount) await tx.lock("handles", "slug", [handleSlug(name)]);
    const handle = await handleByName(tx, name);
    const isOwn = isWholeAccount ? handle.account === ctx.caller.account.pk : handle.pk === ctx.caller.pk;
    if (isOwn) {
      const message = `an operator cannot suspend or restore itself; choose another ${isWholeAccount ? "account" : "handle"}`;
      throw invalid({ instancePath: "/slug", keyword: "slug", message });
    }
    const { slug } = handle.resource;
    const at = suspended ? now() : null;
    const isChanged = isWholeAccount
      ? await setWholeAccount(tx, handle, at)
      : await setHandles(tx, [handle.pk], at);
    if (isChanged) {
      const kind = isWholeAccount ? "account" : "handle";
      logAuditEventForBothAccounts(ctx, tx, {
        account: handle.account,
        handle: isWholeAccount ? null : handle.pk,
        action: suspended ? `${kind}.suspended` : `${kind}.restored`,
        subject: `@${slug}`,
        reason,
      });
    }
    tx.publish({ topic: "status", handle: handle.pk });
    return { slug, suspended };
  },
);

/** Suspends or restores all of an account's handles. A suspended account cannot create handles. */
async function setWholeAccount(
  tx: Transaction,
  { account }: StoredHandle,
  at: number | null,
): Promise<boolean> {
  // The lock keeps new handles out.
  await lockAccount(tx, account);
  const handles = await liveHandles(tx, account);
  await tx.lock("handles", "pk", handles);
  const hasChanged = await setAccountSuspended(tx, account, at);
  return (await setHandles(tx, handles, at)) || hasChanged;
}

/** Suspends or restores handles. Returns whether any handle changed. */
async function setHandles(tx: Transaction, handles: readonly number[], at: number | null): Promise<boolean> {
  const changed = await setSuspended(tx, handles, at);
  if (at !== null) await endIssuedTokens(tx, changed, at);
  for (const handle of changed) tx.publish({ topic: "status", handle });
  return changed.length > 0;
}
