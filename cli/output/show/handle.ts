import type { Handle } from "../../../sdk/src/api.js";
import { ruleText } from "./rule.js";

export function handleFields(
  handle: Handle,
  time: (time: string) => string,
): [name: string, value: string | undefined][] {
  return [
    ["handle", `@${handle.slug}`],
    ["id", handle.id],
    ["suspended", handle.suspended ? "yes" : undefined],
    ["operator", handle.operator ? "yes" : undefined],
    ["name", handle.display_name ?? undefined],
    ["bio", handle.bio ?? undefined],
    ["tags", handle.tags.join(", ") || undefined],
    ["discoverable", handle.discoverable ? "yes" : "no"],
    ["contact policy", handle.contact_policy],
    ["delivery receipts", handle.delivery_receipts ? "on" : "off"],
    ["space notices", handle.space_notices],
    ["inbox accepts", ruleText(handle.inbox_rule)],
    ["created", time(handle.created_at)],
  ];
}
