import { type Command, Option } from "commander";
import type { SpaceDetail, SpacesUpdateMember } from "../../../sdk/src/index.js";
import { parseHandleArgument, parseSpaceArgument } from "../../input/arguments.js";
import { addPageOptions, type PageFlags, printNextPageHint, readPages } from "../../input/pages.js";
import { oneLine } from "../../output/safe.js";
import { spaceWord } from "../../output/shell-quote.js";
import { handleSlug } from "../../profiles/endpoint.js";
import type { Session } from "../../session.js";
import { withSession } from "../with-session.js";

const SPACE = "name of the space, such as ops";
const HANDLE = "the handle, such as @bob";

/** Adds `wireroom space members|add-member|remove-member|transfer`. */
export function addSpaceMemberCommands(space: Command): void {
  addMembers(space);
  addAddMember(space);
  addRemoveMember(space);
  addTransfer(space);
}

function addMembers(space: Command): void {
  addPageOptions(
    space.command("members").description("list the members of a space").argument("<space>", SPACE),
  )
    .addHelpText("after", "\nExample:\n  $ wireroom space members ops")
    .action(
      withSession<PageFlags>(async (session, flags, name) => {
        const slug = parseSpaceArgument(session, name!);
        const client = await session.agent();
        const body = await readPages(flags, "members", (page) => client.spaces.members({ slug, ...page }));
        const { output } = session;
        output.result(body, () => {
          output.table(
            [
              { title: "handle", cell: ({ handle }) => `@${handle}` },
              { title: "role", cell: ({ role }) => role },
              { title: "joined", cell: ({ joined_at }) => output.time(joined_at) },
            ],
            body.members,
            "no members",
          );
          printNextPageHint(output, body, `wireroom space members ${spaceWord(slug)}`);
        });
      }),
    );
}

function addAddMember(space: Command): void {
  space
    .command("add-member")
    .description("add a member or change the role of a member")
    .argument("<space>", SPACE)
    .argument("<handle>", HANDLE)
    .addOption(
      new Option("--role <role>", "role of the member")
        .choices(["mod", "poster", "reader"])
        .default("poster"),
    )
    .addHelpText(
      "after",
      `
A handle of another account must be a contact or accept wires from everybody, must not block you, and must not have left the
space by itself.

Example:
  $ wireroom space add-member ops @bob --role reader`,
    )
    .action(
      withSession<{ role: "mod" | "poster" | "reader" }>(async (session, { role }, name, handle) => {
        const slug = parseSpaceArgument(session, name!);
        const body = await changeMember(session, slug, {
          handle: parseHandleArgument(session, handle!),
          role,
        });
        const { output } = session;
        const member = oneLine(handleSlug(handle!));
        output.result(body, () => output.success(`@${member} is now a ${role} of #${slug}`, `@${member}`));
      }),
    );
}

function addRemoveMember(space: Command): void {
  space
    .command("remove-member")
    .description("remove a member; with your own handle, leave the space")
    .argument("<space>", SPACE)
    .argument("<handle>", HANDLE)
    .addHelpText("after", "\nExample:\n  $ wireroom space remove-member ops @bob")
    .action(
      withSession(async (session, _flags, name, handle) => {
        const slug = parseSpaceArgument(session, name!);
        const body = await changeMember(session, slug, {
          handle: parseHandleArgument(session, handle!),
          role: "remove",
        });
        const { output } = session;
        const member = oneLine(handleSlug(handle!));
        output.result(body, () => output.success(`@${member} is not a member of #${slug}`, `@${member}`));
      }),
    );
}

async function changeMember(
  session: Session,
  slug: string,
  member: SpacesUpdateMember,
): Promise<SpaceDetail> {
  const client = await session.agent();
  return client.spaces.update({ slug, members: [member] });
}

function addTransfer(space: Command): void {
  space
    .command("transfer")
    .description("transfer a space to a new owner; the old owner becomes a mod")
    .argument("<space>", SPACE)
    .argument(
      "<handle>",
      "the new owner, such as @bob: a member that is a contact or a handle of your account",
    )
    .addHelpText("after", "\nExample:\n  $ wireroom space transfer ops @bob --yes")
    .action(
      withSession(async (session, _flags, name, handle) => {
        const slug = parseSpaceArgument(session, name!);
        const owner = parseHandleArgument(session, handle!);
        const client = await session.agent();
        await session.prompt.confirm(`Make @${oneLine(handleSlug(owner))} the owner of #${oneLine(slug)}?`);
        const body = await client.spaces.update({ slug, transfer_owner: owner });
        const { output } = session;
        output.result(body, () =>
          output.success(`@${oneLine(handleSlug(owner))} is the owner of #${body.slug}`, `#${body.slug}`),
        );
      }),
    );
}
