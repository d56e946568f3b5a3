import { handleSlug } from "../../kernel/slug.js";
import { egressPolicy, saveEgress } from "../../store/egress.js";
import { write } from "../handler.js";
import { record } from "../record.js";
import { policyHandle } from "./policy-handle.js";

export const updateEgress = write("egress.update", async (ctx, input, tx) => {
  const { slug: name, ...changes } = input;
  await tx.lock("handles", "slug", [handleSlug(name)]);
  const { pk, account, resource } = await policyHandle(ctx, tx, name);
  if (Object.keys(changes).length > 0) {
    await saveEgress(tx, pk, changes);
    const subject = `@${resource.slug}`;
    await record(ctx, tx, { account, handle: pk, action: "egress.changed", subject });
  }
  return egressPolicy(tx, pk);
});
