/** Declares `wireroom space members|add-member|remove-member|transfer`. */
import type { SpacesMembersOutput, SpacesUpdateInput, Wireroom } from "../../../sdk/src/api.js";
import { parseHandleArgument } from "../../input/arguments.js";
import type { Output } from "../../output/output.js";
import { oneLine } from "../../output/safe.js";
import type { Column } from "../../output/table.js";
import { handleSlug } from "../../profiles/endpoint.js";
import type { Session } from "../../session.js";
import { type Argument, handleArgument, spaceArgument } from "../arguments.js";
import { operation } from "../operation.js";

const columns = ({ time }: Output): readonly Column<SpacesMembersOutput["members"][number]>[] => [
  { title: "handle", cell: ({ handle }) => `@${handle}` },
  { title: "role", cell: ({ role }) => role },
  { title: "joined", cell: ({ joined_at }) => time(joined_at) },
];

const MEMBER: Argument = {
  ...handleArgument("the handle, such as @bob"),
  fields: (name: string, session) => ({
    members: [{ handle: parseHandleArgument(session, name), role: "remove" }],
  }),
};

function changed({ slug, members }: SpacesUpdateInput, what: string): [sentence: string, value: string] {
  const member = `@${oneLine(handleSlug(members![0]!.handle))}`;
  return [`${member} ${what} #${slug}`, member];
}

/** Returns the active handle's role. Commands ask for confirmation only if the role permits the action. */
export async function roleIn(client: Wireroom, slug: string): Promise<string | undefined> {
  for await (const space of client.spaces.list()) if (space.slug === slug) return space.role;
  return undefined;
}

export const MEMBER_COMMANDS = [
  operation("spaces.members", {
    name: "members",
    description: "list the members of a space",
    arguments: [spaceArgument()],
    page: "members",
    examples: "wireroom space members ops",
    table: ({ output }) => [columns(output), "no members"],
  }),
  operation("spaces.update", {
    name: "add-member",
    description: "add a member or change the role of a member",
    arguments: [spaceArgument(), MEMBER],
    options: [
      {
        flags: "--role <role>",
        description: "role of the member",
        choices: ["mod", "poster", "reader"],
        default: "poster",
        sets: (role: string, _session: Session, { members: [member] }: { members: [object] }) => ({
          members: [{ ...member, role }],
        }),
      },
    ],
    help: `\
A handle of another account must be a contact or accept wires from everybody, must not block you, and must not have left the
space by itself.`,
    examples: "wireroom space add-member ops @bob --role reader",
    success: ({ input }) => changed(input, `is now a ${input.members![0]!.role} of`),
  }),
  operation("spaces.update", {
    name: "remove-member",
    description: "remove a member; with your own handle, leave the space",
    arguments: [spaceArgument(), MEMBER],
    examples: "wireroom space remove-member ops @bob",
    success: ({ input }) => changed(input, "is not a member of"),
  }),
  operation("spaces.update", {
    name: "transfer",
    description: "transfer a space to a new owner; the old owner becomes a mod",
    arguments: [
      spaceArgument(),
      handleArgument(
        "the new owner, such as @bob: a member that is a contact or a handle of your account",
        "transfer_owner",
      ),
    ],
    examples: "wireroom space transfer ops @bob --yes",
    find: ({ client, input: { slug } }) => roleIn(client, slug),
    confirm: ({ input: { slug, transfer_owner }, found }) =>
      found === "owner" && `Make @${oneLine(handleSlug(transfer_owner!))} the owner of #${oneLine(slug)}?`,
    success: ({ input, body: { slug } }) => [
      `@${oneLine(handleSlug(input.transfer_owner!))} is the owner of #${slug}`,
      `#${slug}`,
    ],
  }),
];
