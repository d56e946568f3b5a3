import { CONTACT_POLICIES } from "../../sdk/src/generated/enums.js";
import { collectValues } from "../input/values.js";

export const TAGS = {
  flags: "--tag <tag>",
  description: "tag for the search in the public directory (the switchboard); repeatable",
  parse: collectValues,
  sets: "tags",
};

export const CONTACT_POLICY = {
  flags: "--contact-policy <policy>",
  description: "who may write to it: everyone, or only contacts",
  choices: CONTACT_POLICIES,
};

export const INBOX_RULE = ruleOption("--inbox-rule <json>", "wires to its inbox");

export function ruleOption(flags: string, what: string) {
  const description = `rule for ${what}: JSON, @FILE, or - for standard input; the default {"allow_text": true} accepts everything`;
  return { flags, description };
}
