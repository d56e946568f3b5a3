/** Declares `wireroom egress show|set|allow|deny|forget`: rules for what a handle may send and publish. */

import type { EgressPolicy, EgressUpdateInput } from "../../../sdk/src/api.js";
import { EGRESS_MODES } from "../../../sdk/src/generated/enums.js";
import { Failure } from "../../failure.js";
import { parseEgressTarget, parseOwnHandleArgument } from "../../input/arguments.js";
import type { Output } from "../../output/output.js";
import { shellQuoted } from "../../output/shell-quote.js";
import { policyFields } from "../../output/show/egress.js";
import type { Session } from "../../session.js";
import { ownHandleArgument } from "../arguments.js";
import { type AddCommand, noun } from "../command.js";
import { operation } from "../operation.js";

const TARGETS = "@bob for a handle, space:ops or '#ops' for a space";
const SIGN = "Most shells treat # as the start of a comment: write space:ops, or quote '#ops'.";

const SET_HELP = `\
Mode and lists apply to wires, posts and knocks. Parts that you do not pass stay unchanged. The modes:
  open       send to every target
  allowlist  send only to targets on the allow list
  approval   hold everything else until you approve it (wireroom approval list)

No mode stops what a handle publishes without sending it. --no-publish does: its keys and connections can then change
no profile (except the contact policy), schema, space or member. They can still leave spaces, vote, answer knocks, and
delete wires. You can still make these changes yourself, in the console. To keep a handle from telling anybody anything,
use --mode allowlist --no-allow --no-publish.

${SIGN}`;

interface Shown {
  output: Output;
  input: { slug: string };
  body: EgressPolicy;
}

const show = ({ output, input, body }: Shown) => output.fields(policyFields(input.slug, body));

/** Maximum number of targets that are looked up. Nobody types a longer list by hand. */
const MAX_LOOKUPS = 20;

/** Shows the new policy, and notes each new target that the handle cannot see, because it may be misspelt. */
async function showChanged(call: Shown & { session: Session; input: EgressUpdateInput }): Promise<void> {
  show(call);
  const { session, output, input } = call;
  const targets = [input.allow, input.deny, input.also_allow, input.also_deny].flatMap((list) => list ?? []);
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
      // Accept a missing handle, because the parser reads `alice` in `--allow @bob alice` as a target.
      arguments: [
        {
          ...ownHandleArgument("one of your handles; required, but it may follow a list of targets"),
          usage: "[handle]",
        },
      ],
      usage: "[options] <handle>",
      options: [
        {
          flags: "--mode <mode>",
          description: "what to do with a target that is on neither list",
          choices: EGRESS_MODES,
        },
        { flags: "--allow <target...>", description: `replace the allow list (always sent): ${TARGETS}` },
        { flags: "--no-allow", description: "empty the allow list" },
        {
          flags: "--deny <target...>",
          description: "replace the deny list (never sent); overrides --mode and --allow",
        },
        { flags: "--no-deny", description: "empty the deny list" },
        { flags: "--publish", description: "let the handle change what others can read" },
        {
          flags: "--no-publish",
          description: "refuse changes that others can read: profile, schemas, spaces and members",
        },
      ],
      help: SET_HELP,
      examples: [
        "wireroom egress set @alice --mode approval --allow @bob space:ops",
        "wireroom egress set @alice --mode allowlist --no-deny --no-publish",
      ],
      check: checkPolicy,
      show: showChanged,
      next: ({ input }) => (input.mode === "approval" ? ["wireroom approval list"] : []),
    }),
    change("allow", "also_allow", "add targets to the allow list and remove them from the deny list"),
    change("deny", "also_deny", "add targets to the deny list and remove them from the allow list"),
    change("forget", "forget", "remove targets from both lists"),
  ],
);

function checkPolicy(input: EgressUpdateInput, _flags: object, session: Session): void {
  const given = (input.slug as string | undefined) === undefined ? withoutHandle(input) : input;
  const [allow, deny] = [given.allow?.map(parseEgressTarget), given.deny?.map(parseEgressTarget)];
  const slug = parseOwnHandleArgument(session, given.slug);
  if ([given.mode, allow, deny, given.publish].every((part) => part === undefined))
    throw new Failure("USAGE", "nothing to change: pass --mode, --allow, --deny or --no-publish", [
      `Show the current policy: wireroom egress show ${shellQuoted(`@${slug}`)}`,
    ]);
  Object.assign(input, { slug, allow, deny });
}

/** Moves the handle out of the lists of targets. The handle is the only word without `@`, `#` or `space:`. */
function withoutHandle(input: EgressUpdateInput): EgressUpdateInput {
  const isHandle = (target: string) => /^[a-z0-9-]+$/.test(target);
  const [slug, ...others] = [...(input.allow ?? []), ...(input.deny ?? [])].filter(isHandle);
  if (slug === undefined || others.length > 0)
    throw new Failure("USAGE", "wireroom egress set needs <handle>: one of your handles", [
      "Put the handle first: wireroom egress set @HANDLE --allow @bob",
    ]);
  const targets = (list: readonly string[] | undefined) => list?.filter((each) => !isHandle(each));
  return { ...input, slug, allow: targets(input.allow), deny: targets(input.deny) };
}

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
