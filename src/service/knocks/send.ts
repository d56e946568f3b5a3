import { assertMayKnock } from "../../domain/knocks.js";
import { now } from "../../kernel/clock.js";
import { newId } from "../../kernel/ids.js";
import { handleSlug } from "../../kernel/slug.js";
import { appendToInbox } from "../../store/inbox.js";
import { insertKnock, latestKnock } from "../../store/knocks.js";
import { isRelated } from "../../store/relations.js";
import { write } from "../handler.js";
import { namedHandle } from "../named-handle.js";

export const sendKnock = write(
  "knocks.send",
  async (ctx, input, tx) => {
    const { caller } = ctx;
    const at = now();
    const target = await namedHandle(tx, input.handle);
    const latest = await latestKnock(tx, caller.pk, target.pk, at);
    const situation = {
      isSelf: target.pk === caller.pk,
      isContact:
        target.account === caller.account.pk || (await isRelated(tx, "contacts", caller.pk, target.pk)),
      hasBlocked: await isRelated(tx, "blocks", target.pk, caller.pk),
      latest: latest && { status: latest.resource.status, decidedAt: latest.decidedAt },
    };
    assertMayKnock(target.resource.slug, situation, at);
    if (latest?.resource.status === "pending") return { id: latest.resource.id, status: "pending" as const };
    const id = newId();
    const pk = await insertKnock(tx, {
      id,
      sender: caller.pk,
      target: target.pk,
      intro: input.intro,
      createdAt: at,
    });
    await appendToInbox(tx, target.pk, "knock", pk);
    return { id, status: "pending" as const };
  },
  ({ handle }) => [handleSlug(handle)],
);
