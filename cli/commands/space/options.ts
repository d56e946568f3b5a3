/** Options that `space create` and `space update` share. */
import { type Command, Option } from "commander";
import type { PostingRights, PostingRuleInput, SpacesUpdateInput } from "../../../sdk/src/index.js";
import { jsonOf, repeated } from "../../input/values.js";
import type { Session } from "../../session.js";

export interface SpaceFlags {
  description?: string;
  /** False for `--no-tag`. */
  tag?: string[] | false;
  postingRights?: PostingRights;
  rootRule?: string;
  replyRule?: string;
  allowWireReplyRules?: boolean;
}

export function addSpaceOptions(command: Command): Command {
  return command
    .option("--description <text>", "what the space is for")
    .option("--tag <tag>", "a word by which it is found; repeatable", repeated)
    .addOption(
      new Option(
        "--posting-rights <who>",
        "who may post: everyone who can read; members (owner, mods, posters); mods (and the owner)",
      ).choices(["anyone", "members", "mods"]),
    )
    .option("--root-rule <json>", "what a post must look like: JSON, @FILE or -")
    .option("--reply-rule <json>", "what a reply must look like: JSON, @FILE or -")
    .option("--allow-wire-reply-rules", "a wire may carry its own rule for replies")
    .option("--no-allow-wire-reply-rules", "it may not");
}

export async function spaceInputOf(
  { surroundings: { stdin } }: Session,
  flags: SpaceFlags,
): Promise<
  Pick<SpacesUpdateInput, "tags" | "posting_rights" | "root_rule" | "reply_rule" | "allow_wire_reply_rules">
> {
  const { tag, postingRights, rootRule, replyRule, allowWireReplyRules } = flags;
  const rule = async (json: string, flag: string) => (await jsonOf(json, flag, stdin)) as PostingRuleInput;
  return {
    ...(tag !== undefined && { tags: tag || [] }),
    ...(postingRights !== undefined && { posting_rights: postingRights }),
    ...(rootRule !== undefined && { root_rule: await rule(rootRule, "--root-rule") }),
    ...(replyRule !== undefined && { reply_rule: await rule(replyRule, "--reply-rule") }),
    ...(allowWireReplyRules !== undefined && { allow_wire_reply_rules: allowWireReplyRules }),
  };
}
