import { invalid, WireroomError } from "../../contract/errors.js";
import { now } from "../../kernel/clock.js";
import { sha256 } from "../../kernel/hash.js";
import { KEY_DISPLAY_LENGTH, newApiKey, newId } from "../../kernel/ids.js";
import { insertKey } from "../../store/accounts/api-keys.js";
import { handleById } from "../../store/accounts/handles.js";
import { logAuditEvents } from "../pipeline/audit.js";
import { keepSignedIn } from "../pipeline/authenticate.js";
import { write } from "../pipeline/handler.js";
import { parseDateTime } from "../shared/date-time.js";
import { assertMayIssueKey } from "./limits.js";

export const issueKey = write("keys.issue", async (ctx, input, tx) => {
  const expiresAt = input.expires_at === undefined ? null : parseDateTime("expires_at", input.expires_at);
  if (expiresAt !== null && expiresAt <= now()) {
    throw invalid({ instancePath: "/expires_at", keyword: "expires_at", message: "must be in the future" });
  }
  await tx.lock("handles", "id", [input.handle_id]);
  const handle = await handleById(tx, input.handle_id);
  if (!handle) throw new WireroomError("NOT_FOUND", "there is no handle with this id");
  if (handle.account !== ctx.caller.account.pk) {
    throw new WireroomError("FORBIDDEN", `the handle ${input.handle_id} belongs to another account`);
  }
  await assertMayIssueKey(ctx, tx, handle);
  await keepSignedIn(tx, ctx.caller);
  const id = newId();
  const key = newApiKey();
  const prefix = key.slice(0, KEY_DISPLAY_LENGTH);
  await insertKey(tx, { id, handle: handle.pk, hash: sha256(key), prefix, createdAt: now(), expiresAt });
  const { account } = handle;
  logAuditEvents(ctx, tx, { account, handle: handle.pk, action: "key.issued", subject: `key:${id}` });
  return { id, key, prefix };
});
