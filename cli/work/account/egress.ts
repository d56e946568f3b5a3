/** `wireroom egress …` */
import type { EgressPolicy } from "../../../sdk/src/index.js";
import { Failure } from "../../failure.js";
import { ownNamed, targetNamed } from "../../input/names.js";
import { policyFields } from "../../output/show/egress.js";
import type { Session } from "../../session.js";

export interface PolicyFlags {
  mode?: EgressPolicy["mode"] | undefined;
  /** False empties the list. */
  allow?: string[] | false | undefined;
  deny?: string[] | false | undefined;
}

export async function showPolicy(session: Session, name: string): Promise<void> {
  const slug = ownNamed(session, name);
  const client = await session.dashboard();
  written(session, slug, await client.egress.get({ slug }));
}

export async function setPolicy(session: Session, flags: PolicyFlags, name: string): Promise<void> {
  const { mode } = flags;
  const [allow, deny] = [listOf(flags.allow), listOf(flags.deny)];
  if (mode === undefined && allow === undefined && deny === undefined)
    throw new Failure("USAGE", "there is nothing to change: give --mode, --allow or --deny", [
      "See what holds now: wireroom egress show HANDLE",
    ]);
  const slug = ownNamed(session, name);
  const client = await session.dashboard();
  written(session, slug, await client.egress.update({ slug, mode, allow, deny }));
  if (mode === "approval") session.output.next("wireroom approval list");
}

function listOf(given: string[] | false | undefined): string[] | undefined {
  return given === false ? [] : given?.map(targetNamed);
}

/** The field of the update that does what a command says. */
const FIELDS = { allow: "also_allow", deny: "also_deny", forget: "forget" } as const;

/** Puts each target on one of the lists, or on none. Where that is so already, nothing is changed. */
export async function changeLists(
  session: Session,
  verb: keyof typeof FIELDS,
  name: string,
  targets: readonly string[],
): Promise<void> {
  const named = targets.map(targetNamed);
  const slug = ownNamed(session, name);
  const client = await session.dashboard();
  written(session, slug, await client.egress.update({ slug, [FIELDS[verb]]: named }));
}

function written({ output }: Session, slug: string, policy: EgressPolicy): void {
  output.result(policy, () => output.fields(policyFields(slug, policy)));
}
