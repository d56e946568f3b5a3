/**
 * Grants and revokes the operator role, for commands on the daemon's machine
 * (docs/specification/dashboard-operations.md#operators).
 */
import { noSuchHandle } from "../../domain/visibility.js";
import { now } from "../../kernel/clock.js";
import { handleSlug } from "../../kernel/names.js";
import { enqueueAuditEntries } from "../../store/accounts/audit.js";
import { handleBySlug } from "../../store/accounts/handles.js";
import { listOperators, type Operator, setOperator } from "../../store/accounts/operators.js";
import type { Engine } from "../../store/engine/engine.js";

export function readOperators({ reader }: Engine): Promise<Operator[]> {
  return listOperators(reader);
}

/**
 * Grants or revokes a handle's operator role. Running daemons apply the change from their next call. Throws
 * NOT_FOUND for an unknown handle.
 * @param name the handle's slug, with or without `@`
 */
export function changeOperator(
  engine: Engine,
  name: string,
  change: "grant" | "revoke",
): Promise<{ handle: string; operator: boolean; changed: boolean }> {
  const slug = handleSlug(name);
  const operator = change === "grant";
  return engine.write(async (tx) => {
    await tx.lock("handles", "slug", [slug]);
    const handle = await handleBySlug(tx, slug);
    if (!handle) throw noSuchHandle(slug);
    const changed = await setOperator(tx, handle.pk, operator ? now() : null);
    if (changed) {
      const action = operator ? "operator.granted" : "operator.revoked";
      const { account, pk } = handle;
      enqueueAuditEntries(tx, [
        { account, handle: pk, actor: "host", action, subject: `@${slug}`, outcome: "ok", requestId: null },
      ]);
    }
    return { handle: slug, operator, changed };
  });
}
