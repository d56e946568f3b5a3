/** Implements `wireroom egress …`. */
import type { EgressPolicy } from "../../../sdk/src/index.js";
import { Failure } from "../../failure.js";
import { parseEgressTarget, parseOwnHandleArgument } from "../../input/arguments.js";
import { shellQuoted } from "../../output/shell-quote.js";
import { policyFields } from "../../output/show/egress.js";
import type { Session } from "../../session.js";

export interface PolicyFlags {
  mode?: EgressPolicy["mode"] | undefined;
  /** False for `--no-allow`, which empties the list. */
  allow?: string[] | false | undefined;
  deny?: string[] | false | undefined;
  /** False for `--no-publish`. */
  publish?: boolean | undefined;
}

export async function showPolicy(session: Session, name: string): Promise<void> {
  const slug = parseOwnHandleArgument(session, name);
  const client = await session.dashboard();
  printPolicy(session, slug, await client.egress.get({ slug }));
}

/**
 * @param name the handle; undefined if it follows a list of targets, so that it is an element of that list
 */
export async function setPolicy(
  session: Session,
  given: PolicyFlags,
  name: string | undefined,
): Promise<void> {
  const { handle, ...flags } = name === undefined ? withoutHandle(given) : { ...given, handle: name };
  const { mode, publish } = flags;
  const [allow, deny] = [targetsOf(flags.allow), targetsOf(flags.deny)];
  const slug = parseOwnHandleArgument(session, handle);
  if ([mode, allow, deny, publish].every((part) => part === undefined))
    throw new Failure("USAGE", "nothing to change: pass --mode, --allow, --deny or --no-publish", [
      `Show the current policy: wireroom egress show ${shellQuoted(`@${slug}`)}`,
    ]);
  const client = await session.dashboard();
  printPolicy(session, slug, await client.egress.update({ slug, mode, allow, deny, publish }));
  if (mode === "approval") session.output.nextSteps("wireroom approval list");
}

/**
 * Returns the handle in a list of targets, and the lists without it. A target starts with `@`, `#` or
 * `space:`, so an element without such a sign can only be the handle. Throws a `Failure` unless there is
 * exactly one.
 */
function withoutHandle(flags: PolicyFlags): PolicyFlags & { handle: string } {
  const [handle, ...others] = [flags.allow, flags.deny].flatMap((list) => (list || []).filter(isHandle));
  if (handle === undefined || others.length > 0)
    throw new Failure("USAGE", "wireroom egress set needs <handle>: one of your handles", [
      "Put the handle first: wireroom egress set @HANDLE --allow @bob",
    ]);
  const rest = (list: PolicyFlags["allow"]) =>
    Array.isArray(list) ? list.filter((each) => !isHandle(each)) : list;
  return { ...flags, handle, allow: rest(flags.allow), deny: rest(flags.deny) };
}

const isHandle = (target: string) => /^[a-z0-9-]+$/.test(target);

function targetsOf(flag: string[] | false | undefined): string[] | undefined {
  return flag === false ? [] : flag?.map(parseEgressTarget);
}

/** The field of `egress.update` for each command. */
const FIELDS = { allow: "also_allow", deny: "also_deny", forget: "forget" } as const;

/**
 * Adds targets to the allow list or to the deny list, or removes them from both. Targets that are already
 * there stay unchanged.
 */
export async function changeLists(
  session: Session,
  verb: keyof typeof FIELDS,
  name: string,
  targets: readonly string[],
): Promise<void> {
  const parsed = targets.map(parseEgressTarget);
  const slug = parseOwnHandleArgument(session, name);
  const client = await session.dashboard();
  printPolicy(session, slug, await client.egress.update({ slug, [FIELDS[verb]]: parsed }));
}

function printPolicy({ output }: Session, slug: string, policy: EgressPolicy): void {
  output.result(policy, () => output.fields(policyFields(slug, policy)));
}
