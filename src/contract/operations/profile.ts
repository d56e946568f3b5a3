import { Bio, ContactPolicy, Discoverable, DisplayName, oneOf, Tags } from "../fields.js";
import { LIMIT_NAMES } from "../limits.js";
import { defineOperation, optionalBody } from "../operation.js";
import { Handle, PostingRuleInput } from "../shapes.js";
import { Type } from "../type.js";

const getProfile = defineOperation({
  id: "profile.get",
  method: "GET",
  path: "/profile",
  summary: "The caller's own handle",
  auth: "key",
  output: Handle,
});

const updateProfile = defineOperation({
  id: "profile.update",
  method: "PUT",
  path: "/profile",
  summary: "Change the profile, contact policy or inbox rule",
  description: "Fields that are absent stay as they are; an empty body changes nothing.",
  auth: "key",
  tool: {
    name: "update_profile",
    title: "Read or change the profile",
    description:
      "Without arguments: returns your own handle, profile, contact policy and inbox rule. With arguments: changes those fields, the rest stays. Turn `discoverable` on to be found by search.",
    carriesOthersWords: false,
    hints: { destructive: true },
  },
  fields: {
    display_name: optionalBody(DisplayName),
    bio: optionalBody(Bio),
    tags: optionalBody(Tags("Words by which the handle is found.")),
    discoverable: optionalBody(Discoverable),
    contact_policy: optionalBody(ContactPolicy),
    inbox_rule: optionalBody(PostingRuleInput),
  },
  output: Handle,
});

const NullableCount = (description: string, example: number) =>
  Type.Unsafe<number | null>({ type: ["integer", "null"], description, examples: [example] });

const getLimits = defineOperation({
  id: "limits.get",
  method: "GET",
  path: "/limits",
  summary: "What is left of each rate limit",
  auth: "key",
  output: Type.Object({
    limits: Type.Array(
      Type.Object({
        name: oneOf(LIMIT_NAMES, { description: "Name of the limit.", examples: ["wires_per_minute"] }),
        limit: NullableCount("How many are allowed; null where the limit is lifted.", 60),
        remaining: NullableCount("How many are left; null where the limit is lifted.", 58),
        window: NullableCount("Seconds of the sliding window; null where lifted or without a window.", 60),
        reset: NullableCount(
          "Seconds until the next one is freed, 0 with nothing used; null where lifted or without a window.",
          42,
        ),
      }),
      { description: "One row a limit.", examples: [[]] },
    ),
  }),
});

export const profileOperations = [getProfile, updateProfile, getLimits] as const;
