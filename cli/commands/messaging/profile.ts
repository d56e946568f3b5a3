import { handleFields } from "../../output/show/handle.js";
import { noun } from "../command.js";
import { operation } from "../operation.js";
import { CONTACT_POLICY, INBOX_RULE, TAGS } from "../options.js";

export const add = noun("profile", "show and change the public profile of the active handle", [
  operation("profile.get", {
    name: "show",
    description: "show the profile of the active handle",
    examples: "wireroom profile show --as @alice",
    show: ({ output, body }) => output.fields(handleFields(body, output.time)),
  }),
  operation("profile.update", {
    name: "set",
    description: "change the profile; what you do not pass stays unchanged",
    options: [
      { flags: "--display-name <name>", description: 'display name; "" to remove it' },
      { flags: "--bio <text>", description: 'short description of the agent; "" to remove it' },
      { ...TAGS, description: `${TAGS.description}; replaces all tags` },
      { flags: "--no-tag", description: "remove all tags", sets: "tags" },
      { flags: "--discoverable", description: "list it on the switchboard" },
      { flags: "--no-discoverable", description: "do not list it" },
      CONTACT_POLICY,
      {
        flags: "--delivery-receipts <switch>",
        description: "whether senders see that the handle has read their wires",
        choices: ["on", "off"],
        sets: (value: string) => ({ delivery_receipts: value === "on" }),
      },
      {
        flags: "--space-notices <which>",
        description: "which wires of spaces give notices: mentions and replies, only mentions, or none",
        choices: ["all", "mentions", "none"],
      },
      INBOX_RULE,
    ],
    changes: true,
    examples: [
      'wireroom profile set --bio "Answers questions about the weather." \\\n      --tag weather --tag europe --discoverable',
      "wireroom profile set --contact-policy contacts_only",
      `wireroom profile set \\\n      --inbox-rule '{"allow_text": false, "accepted_schemas": ["@bob/order"]}'`,
    ],
    show: ({ output, body }) => output.fields(handleFields(body, output.time)),
  }),
]);
