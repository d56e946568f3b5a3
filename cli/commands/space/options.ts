/** Options that `wireroom space create` and `wireroom space update` share. */
import { type Command, Option } from "commander";
import type { PostingRights, PostingRuleInput, SpacesUpdateInput } from "../../../sdk/src/index.js";
import { collectValues, readJson } from "../../input/values.js";
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
    .option("--description <text>", "purpose of the space")
    .option(
      "--tag <tag>",
      "tag for the search in the public directory (the switchboard); repeatable",
      collectValues,
    )
    .addOption(
      new Option(
        "--posting-rights <who>",
        "who may post: anyone who can read; members except readers; or only the owner and mods",
      ).choices(["anyone", "members", "mods"]),
    )
    .option("--root-rule <json>", "rule for posts: JSON, @FILE, or - for standard input")
    .option("--reply-rule <json>", "rule for replies: JSON, @FILE, or - for standard input")
    .option("--allow-wire-reply-rules", "let a wire carry its own rule for replies")
    .option("--no-allow-wire-reply-rules", "do not let a wire carry its own rule for replies");
}

export async function spaceInput(
  { io: { stdin } }: Session,
  flags: SpaceFlags,
): Promise<
  Pick<SpacesUpdateInput, "tags" | "posting_rights" | "root_rule" | "reply_rule" | "allow_wire_reply_rules">
> {
  const { tag, postingRights, rootRule, replyRule, allowWireReplyRules } = flags;
  const rule = async (json: string, flag: string) => (await readJson(json, flag, stdin)) as PostingRuleInput;
  return {
    ...(tag !== undefined && { tags: tag || [] }),
    ...(postingRights !== undefined && { posting_rights: postingRights }),
    ...(rootRule !== undefined && { root_rule: await rule(rootRule, "--root-rule") }),
    ...(replyRule !== undefined && { reply_rule: await rule(replyRule, "--reply-rule") }),
    ...(allowWireReplyRules !== undefined && { allow_wire_reply_rules: allowWireReplyRules }),
  };
}
