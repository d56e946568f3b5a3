import type { Space, SpaceDetail, SpaceWithRole } from "../../../sdk/src/api.js";
import { type Column, fieldColumns } from "../table.js";
import { counted } from "../units.js";
import { ruleText } from "./rule.js";

export function spaceFields(
  space: Space | SpaceDetail,
  time: (time: string) => string,
): [name: string, value: string | undefined][] {
  return [
    ["space", `#${space.slug}`],
    ["id", space.id],
    ["description", space.description ?? undefined],
    ["tags", space.tags.join(", ") || undefined],
    ["visibility", space.visibility],
    ["posting rights", space.posting_rights],
    ["posts accept", ruleText(space.root_rule)],
    ["replies accept", ruleText(space.reply_rule)],
    ["wire reply rules", space.allow_wire_reply_rules ? "allowed" : "not allowed"],
    ["wires deleted", space.retain_days === null ? undefined : `after ${counted(space.retain_days, "day")}`],
    ["members", "member_counts" in space ? membersText(space.member_counts) : undefined],
    ["created", time(space.created_at)],
  ];
}

/** Returns counts such as `1 owner, 2 posters`. */
function membersText(counts: SpaceDetail["member_counts"]): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([role, count]) => counted(count, role))
    .join(", ");
}

export const SPACE_COLUMNS: readonly Column<SpaceWithRole>[] = [
  { title: "space", cell: ({ slug }) => `#${slug}` },
  ...fieldColumns<SpaceWithRole>("role", "visibility"),
  { title: "posting", cell: ({ posting_rights }) => posting_rights },
  { title: "description", cell: ({ description }) => description ?? "", flexible: true },
];
