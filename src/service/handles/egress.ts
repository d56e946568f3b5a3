import { invalid } from "../../contract/errors.js";
import { type EgressPolicy, MAX_EGRESS_TARGETS } from "../../contract/operations/egress.js";
import { describeChanges } from "../../domain/describe-changes.js";
import { applyTargetChanges } from "../../domain/egress.js";
import { handleSlug } from "../../kernel/names.js";
import { egressPolicy, updateEgressPolicy } from "../../store/accounts/egress.js";
import { ownHandle } from "../access/handles.js";
import { logAuditEvents } from "../pipeline/audit.js";
import { read, write } from "../pipeline/handler.js";

export const getEgress = read("egress.get", async (ctx, input, session) => {
  const { pk } = await ownHandle(ctx, session, input.slug);
  return egressPolicy(session, pk);
});

export const updateEgress = write("egress.update", async (ctx, input, tx) => {
  const { slug: name, also_allow, also_deny, forget, ...fields } = input;
  await tx.lock("handles", "slug", [handleSlug(name)]);
  const { pk, account, resource } = await ownHandle(ctx, tx, name);
  const before = await egressPolicy(tx, pk);
  const lists = applyTargetChanges({ ...before, ...fields }, { also_allow, also_deny, forget });
  assertRoom(lists);
  const changes = { ...fields, ...lists };
  if (Object.keys(changes).length === 0) return before;
  await updateEgressPolicy(tx, pk, changes);
  const policy = await egressPolicy(tx, pk);
  const change = { subject: `@${resource.slug}`, detail: describeChanges(before, policy) };
  logAuditEvents(ctx, tx, { account, handle: pk, action: "egress.changed", ...change });
  return policy;
});

function assertRoom(lists: Partial<EgressPolicy>): void {
  for (const list of ["allow", "deny"] as const) {
    if ((lists[list]?.length ?? 0) <= MAX_EGRESS_TARGETS) continue;
    const message = `\`${list}\` would have more than ${MAX_EGRESS_TARGETS} targets; remove some first`;
    throw invalid({ instancePath: `/also_${list}`, keyword: "maxItems", message });
  }
}
