import { type Command, InvalidArgumentError, Option } from "commander";
import { CONTACT_POLICIES } from "../../sdk/src/generated/enums.js";
import { RELATIONS, SENDERS } from "../input/origin.js";
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

export function addOriginOptions<Flags extends Command>(command: Flags): Flags {
  return command
    .addOption(
      new Option(
        "--relation <list>",
        `only wires whose sender is related to the handle in one of these ways: ${RELATIONS.join(", ")}`,
      ).argParser(parseRelations),
    )
    .addOption(new Option("--sent-by <sender>", "only wires that were sent by this").choices(SENDERS));
}

function parseRelations(text: string): string[] {
  const list = text.split(",");
  if (list.every((each) => (RELATIONS as readonly string[]).includes(each))) return list;
  throw new InvalidArgumentError(`Put commas between several. Allowed choices are ${RELATIONS.join(", ")}.`);
}
