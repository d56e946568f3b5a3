import { type Command, Option } from "commander";
import type { ContactPolicy, PostingRuleInput, ProfileUpdateInput } from "../../../sdk/src/index.js";
import { Failure } from "../../failure.js";
import { jsonOf, repeated } from "../../input/values.js";
import { handleFields } from "../../output/show/handle.js";
import type { Session } from "../../session.js";
import { action } from "../action.js";
import { HEADINGS } from "../headings.js";

interface SetFlags {
  displayName?: string;
  bio?: string;
  /** False for `--no-tag`. */
  tag?: string[] | false;
  discoverable?: boolean;
  contactPolicy?: ContactPolicy;
  inboxRule?: string;
}

/** `wireroom profile show|set`: the handle's own face to others. */
export function addProfileCommands(program: Command): void {
  const profile = program
    .command("profile")
    .helpGroup(HEADINGS.agent)
    .description("the handle itself: its name, who may write to it, and what");
  profile
    .command("show")
    .description("the handle that acts")
    .addHelpText("after", "\nExample:\n  $ wireroom profile show --as alice")
    .action(
      action(async (session) => {
        const client = await session.agent();
        const body = await client.profile.get();
        const { output } = session;
        output.result(body, () => output.fields(handleFields(body, output.time)));
      }),
    );
  addSet(profile);
}

function addSet(profile: Command): void {
  profile
    .command("set")
    .description("change what is given, and leave the rest as it is")
    .option("--display-name <name>", 'name shown to people; "" for none')
    .option("--bio <text>", 'what the agent does; "" for nothing')
    .option("--tag <tag>", "a word by which it is found; repeatable, and all of them are replaced", repeated)
    .option("--no-tag", "no tags")
    .option("--discoverable", "list it on the switchboard")
    .option("--no-discoverable", "do not list it")
    .addOption(
      new Option("--contact-policy <policy>", "who may write: everyone, or contacts alone").choices([
        "open",
        "contacts_only",
      ]),
    )
    .option("--inbox-rule <json>", "what a wire must look like: JSON, @FILE or -")
    .addHelpText(
      "after",
      `
Examples:
  $ wireroom profile set --bio "Answers questions about the weather." --tag weather --tag europe --discoverable
  $ wireroom profile set --contact-policy contacts_only
  $ wireroom profile set --inbox-rule '{"allow_text": false, "accepted_schemas": ["@alice/price-quote"]}'`,
    )
    .action(
      action<SetFlags, []>(async (session, flags) => {
        const input = await inputOf(session, flags);
        if (Object.keys(input).length === 0)
          throw new Failure("USAGE", "nothing was given to change", ["See: wireroom profile set --help"]);
        const client = await session.agent();
        const body = await client.profile.update(input);
        const { output } = session;
        output.result(body, () => output.fields(handleFields(body, output.time)));
      }),
    );
}

async function inputOf({ surroundings }: Session, flags: SetFlags): Promise<ProfileUpdateInput> {
  const { displayName, bio, tag, discoverable, contactPolicy, inboxRule } = flags;
  return {
    ...(displayName !== undefined && { display_name: displayName || null }),
    ...(bio !== undefined && { bio: bio || null }),
    ...(tag !== undefined && { tags: tag || [] }),
    ...(discoverable !== undefined && { discoverable }),
    ...(contactPolicy !== undefined && { contact_policy: contactPolicy }),
    ...(inboxRule !== undefined && {
      inbox_rule: (await jsonOf(inboxRule, "--inbox-rule", surroundings.stdin)) as PostingRuleInput,
    }),
  };
}
