/** Operations on the caller's profile and limits. */
import {
  Bio,
  ContactPolicy,
  DeliveryReceipts,
  Discoverable,
  DisplayName,
  SpaceNotices,
  stringEnum,
  Tags,
} from "../fields.js";
import { LIMIT_NAMES } from "../limits.js";
import { defineOperation, optionalBody } from "../operation.js";
import { Handle, PostingRuleInput } from "../shapes.js";
import { Type } from "../type.js";

const getProfile = defineOperation({
  id: "profile.get",
  method: "GET",
  path: "/profile",
  summary: "Retrieve your own handle",
  description: "Returns the handle that the API key belongs to.",
  auth: "key",
  output: Handle,
});

const updateProfile = defineOperation({
  id: "profile.update",
  method: "PUT",
  path: "/profile",
  summary: "Update your own handle",
  description:
    "Changes the profile, the contact policy, the inbox rule, the delivery receipts or the space notices, and returns the handle. Absent fields do not change.",
  auth: "key",
  tool: {
    name: "update_profile",
    title: "Read or change the profile",
    description:
      "Without arguments: returns your own handle, profile, contact policy and inbox rule. With arguments: changes only these. Set `discoverable` to true to be found by search.",
    returnsUntrustedContent: false,
    descriptions: {
      tags: "As in create_space.",
      delivery_receipts: "Whether senders of DMs see that you have read them.",
      space_notices: "Which wires of spaces give you notices.",
      inbox_rule: "Rule for wires to you: JSON text, as `root_rule` of create_space.",
    },
    shownAsText: ["inbox_rule"],
    clears: { display_name: null, bio: null, tags: [] },
    hints: { destructive: true, openWorld: true },
  },
  fields: {
    display_name: optionalBody(DisplayName),
    bio: optionalBody(Bio),
    tags: optionalBody(Tags("Tags for which searches find the handle.")),
    discoverable: optionalBody(Discoverable),
    contact_policy: optionalBody(ContactPolicy),
    inbox_rule: optionalBody(PostingRuleInput),
    delivery_receipts: optionalBody(DeliveryReceipts),
    space_notices: optionalBody(SpaceNotices),
  },
  output: Handle,
  errors: ["EGRESS_BLOCKED", "RATE_LIMITED"],
  auditedError: "RATE_LIMITED",
});

const NullableCount = (description: string, example: number) =>
  Type.Unsafe<number | null>({ type: ["integer", "null"], description, examples: [example] });

const getLimits = defineOperation({
  id: "limits.get",
  method: "GET",
  path: "/limits",
  summary: "List rate limits",
  description:
    "Returns the state of every rate limit of the calling handle. If its account has less left, `remaining` and `reset` are those of the account.",
  auth: "key",
  output: Type.Object({
    limits: Type.Array(
      Type.Object({
        name: stringEnum(LIMIT_NAMES, {
          description: "The name of the limit.",
          examples: ["wires_per_minute"],
        }),
        limit: NullableCount("The number allowed per window; null if unlimited.", 60),
        remaining: NullableCount("The number left in the current window; null if unlimited.", 58),
        window: NullableCount(
          "The length of the sliding window in seconds; null if unlimited or without a window.",
          60,
        ),
        reset: NullableCount(
          "Seconds until `remaining` increases; 0 if nothing is used, null if unlimited or without a window.",
          42,
        ),
      }),
      { description: "The state of each limit.", examples: [[]] },
    ),
  }),
});

export const profileOperations = [getProfile, updateProfile, getLimits] as const;
