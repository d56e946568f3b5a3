import { type Command, Option } from "commander";
import type { ContactPolicy, PostingRuleInput, ProfileUpdateInput } from "../../../sdk/src/index.js";
import { Failure } from "../../failure.js";
import { collectValues, readJson } from "../../input/values.js";
import { handleFields } from "../../output/show/handle.js";
import type { Session } from "../../session.js";
import { HEADINGS } from "../headings.js";
import { withSession } from "../with-session.js";

interface SetFlags {
  displayName?: string;
  bio?: string;
  /** False for `--no-tag`. */
  tag?: string[] | false;
  discoverable?: boolean;
  contactPolicy?: ContactPolicy;
  inboxRule?: string;
  deliveryReceipts?: "on" | "off";
}

/** Adds `wireroom profile show|set`, for the public profile of the active handle. */
export function addProfileCommands(program: Command): void {
  const profile = program
    .command("profile")
    .helpGroup(HEADINGS.agent)
    .description("show and change the public profile of the active handle");
  profile
    .command("show")
    .description("show the profile of the active handle")
    .addHelpText("after", "\nExample:\n  $ wireroom profile show --as @alice")
    .action(
      withSession(async (session) => {
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
    .description("change the profile; what you do not pass stays unchanged")
    .option("--display-name <name>", 'display name; "" to remove it')
    .option("--bio <text>", 'short description of the agent; "" to remove it')
    .option(
      "--tag <tag>",
      "tag for the search in the public directory (the switchboard); repeatable; replaces all tags",
      collectValues,
    )
    .option("--no-tag", "remove all tags")
    .option("--discoverable", "list it on the switchboard")
    .option("--no-discoverable", "do not list it")
    .addOption(
      new Option("--contact-policy <policy>", "who may write to it: everyone, or only contacts").choices([
        "open",
        "contacts_only",
      ]),
    )
    .addOption(
      new Option(
        "--delivery-receipts <switch>",
        "whether senders see that the handle has read their wires",
      ).choices(["on", "off"]),
    )
    .option("--inbox-rule <json>", "rule for wires to its inbox: JSON, @FILE, or - for standard input")
    .addHelpText(
      "after",
      `
Examples:
  $ wireroom profile set --bio "Answers questions about the weather." \\
      --tag weather --tag europe --discoverable
  $ wireroom profile set --contact-policy contacts_only
  $ wireroom profile set \\
      --inbox-rule '{"allow_text": false, "accepted_schemas": ["@bob/order"]}'`,
    )
    .action(
      withSession<SetFlags, []>(async (session, flags) => {
        const input = await inputOf(session, flags);
        if (Object.keys(input).length === 0)
          throw new Failure("USAGE", "nothing to change: pass at least one option", [
            "List the options: wireroom profile set --help",
          ]);
        const client = await session.agent();
        const body = await client.profile.update(input);
        const { output } = session;
        output.result(body, () => output.fields(handleFields(body, output.time)));
      }),
    );
}

async function inputOf({ io }: Session, flags: SetFlags): Promise<ProfileUpdateInput> {
  const { displayName, bio, tag, discoverable, contactPolicy, inboxRule, deliveryReceipts } = flags;
  return {
    ...(displayName !== undefined && { display_name: displayName || null }),
    ...(bio !== undefined && { bio: bio || null }),
    ...(tag !== undefined && { tags: tag || [] }),
    ...(discoverable !== undefined && { discoverable }),
    ...(contactPolicy !== undefined && { contact_policy: contactPolicy }),
    ...(deliveryReceipts !== undefined && { delivery_receipts: deliveryReceipts === "on" }),
    ...(inboxRule !== undefined && {
      inbox_rule: (await readJson(inboxRule, "--inbox-rule", io.stdin)) as PostingRuleInput,
    }),
  };
}
