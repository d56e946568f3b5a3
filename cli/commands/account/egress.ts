/** Declares `wireroom egress show|set|allow|deny|forget`: rules for what a handle may send and publish. */

import type { EgressPolicy, EgressUpdateInput } from "../../../sdk/src/api.js";
import { EGRESS_MODES } from "../../../sdk/src/generated/enums.js";
import { parseEgressTarget } from "../../input/arguments.js";
import type { Output } from "../../output/output.js";
import { policyFields } from "../../output/show/egress.js";
import type { Session } from "../../session.js";
import { ownHandleArgument } from "../arguments.js";
import { type AddCommand, noun } from "../command.js";
import { operation } from "../operation.js";

const TARGETS = "@bob for a handle, space:ops or '#ops' for a space";
const SIGN = "Most shells treat # as the start of a comment: write space:ops, or quote '#ops'.";

const SET_HELP = `\
The mode applies to wires, posts and knocks. Parts that you do not pass stay unchanged. The modes:
  open       send to every target
  allowlist  send only to targets on the allow list (wireroom egress allow)
  approval   hold everything else until you approve it (wireroom approval list)

No mode stops what a handle publishes without sending it. --no-publish does: its keys and connections can then change
no profile (except the contact policy), schema, space or member. They can still leave spaces, vote, answer knocks, and
delete wires. You can still make these changes yourself, in the console. To keep a handle from telling anybody anything,
use --mode allowlist --no-publish, and forget what it may send to.`;

interface Shown {
  output: Output;
  input: { slug: string };
  body: EgressPolicy;
}

const show = ({ output, input, body }: Shown) => output.fields(policyFields(input.slug, body));

/** Targets beyond this number are not looked up, because nobody types so many by hand. */
const MAX_LOOKUPS = 20;

/** Shows the new policy, and notes each new target that the handle cannot see, because it may be misspelt. */
async function showChanged(call: Shown & { session: Session; input: EgressUpdateInput }): Promise<void> {
  show(call);
  const { session, output, input } = call;
  const targets = [input.also_allow, input.also_deny].flatMap((list) => list ?? []);
  if (targets.length === 0) return;
  const { handleTokenSource } = await import("../../services/sign-in/tokens.js");
  const client = await session.agent(handleTokenSource(session, input.slug)).catch(() => undefined);
  const isUnknown = (to: string) =>
    client?.sent.list({ to, limit: 1 }).then(
      () => false,
      (error: unknown) => (error as { code?: unknown }).code === "NOT_FOUND",
    );
  const lookedUp = targets.slice(0, MAX_LOOKUPS);
  const unknown = await Promise.all(lookedUp.map(isUnknown));
  for (const to of lookedUp.filter((_, index) => unknown[index])) {
    const space = `There is no space ${to} yet that @${input.slug} can read.`;
    output.note(to.startsWith("#") ? space : `There is no handle ${to} yet.`);
  }
}

export const add = noun(
  "egress",
  "control to which handles and spaces your handles may send, and whether they may publish",
  [
    operation("egress.get", {
      name: "show",
      description: "show the egress policy of a handle",
      arguments: [ownHandleArgument()],
      examples: "wireroom egress show @alice",
      show,
    }),
    operation("egress.update", {
      name: "set",
      description: "change parts of the egress policy of a handle",
      arguments: [ownHandleArgument()],
      options: [
        {
          flags: "--mode <mode>",
          description: "what to do with a target that is on neither list",
          choices: EGRESS_MODES,
        },
        { flags: "--publish", description: "let the handle change what others can read" },
        {
          flags: "--no-publish",
          description: "refuse changes that others can read: profile, schemas, spaces and members",
        },
      ],
      help: SET_HELP,
      examples: [
        "wireroom egress set @alice --mode approval",
        "wireroom egress set @alice --mode allowlist --no-publish",
      ],
      changes: true,
      show,
      next: ({ input }) => (input.mode === "approval" ? ["wireroom approval list"] : []),
    }),
    change("allow", "also_allow", "always send to these targets, also if they were denied"),
    change("deny", "also_deny", "never send to these targets, also if they were allowed"),
    change("forget", "forget", "remove targets from both lists"),
  ],
);

function change(verb: string, field: keyof EgressUpdateInput, description: string): AddCommand {
  return operation("egress.update", {
    name: verb,
    description,
    arguments: [
      ownHandleArgument(),
      {
        usage: "<targets...>",
        description: TARGETS,
        fields: (targets: readonly string[]) => ({ [field]: targets.map(parseEgressTarget) }),
      },
    ],
    help: SIGN,
    examples: `wireroom egress ${verb} alice @bob space:ops`,
    show: showChanged,
  });
}
