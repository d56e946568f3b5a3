/** Making and ending operators, on the daemon's own machine alone (decisions, section 9). */
import { noSuchHandle } from "../../domain/visibility.js";
import { now } from "../../kernel/clock.js";
import { handleSlug } from "../../kernel/names.js";
import { appendAudit } from "../../store/accounts/audit.js";
import { handleBySlug } from "../../store/accounts/handles.js";
import { listOperators, type Operator, setOperator } from "../../store/accounts/operators.js";
import type { Engine } from "../../store/engine/engine.js";

/** Operators in the order of their slugs. */
export function operators({ reader }: Engine): Promise<Operator[]> {
  return listOperators(reader);
}

/**
 * Makes a handle an operator, or ends it. Doing so twice changes nothing. The running daemon asks its store at each call of
 * an operator's, so it holds from the next one on.
 * @param name slug, `@` optional. Throws NOT_FOUND where there is no such handle.
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
      appendAudit(tx, [
        { account, handle: pk, actor: "host", action, subject: `@${slug}`, outcome: "ok", requestId: null },
      ]);
    }
    return { handle: slug, operator, changed };
  });
}
