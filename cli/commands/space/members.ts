import { type Command, Option } from "commander";
import type { SpaceDetail, SpacesUpdateMember } from "../../../sdk/src/index.js";
import { handleNamed, spaceNamed } from "../../input/names.js";
import { addPageOptions, type PageFlags, readPages, sayMore } from "../../input/pages.js";
import { oneLine } from "../../output/safe.js";
import { bare } from "../../profiles/endpoint.js";
import type { Session } from "../../session.js";
import { action } from "../action.js";

const SPACE = "such as ops";
const HANDLE = "such as @bob";

/** `space members|add-member|remove-member|transfer`. */
export function addSpaceMemberCommands(space: Command): void {
  addMembers(space);
  addAddMember(space);
  addRemoveMember(space);
  addTransfer(space);
}

function addMembers(space: Command): void {
  addPageOptions(space.command("members").description("members of a space").argument("<space>", SPACE))
    .addHelpText("after", "\nExample:\n  $ wireroom space members ops")
    .action(
      action<PageFlags>(async (session, flags, name) => {
        const slug = spaceNamed(session, name!);
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
          sayMore(output, body, `wireroom space members ${slug}`);
        });
      }),
    );
}

function addAddMember(space: Command): void {
  space
    .command("add-member")
    .description("make a handle a member, or give a member another role")
    .argument("<space>", SPACE)
    .argument("<handle>", HANDLE)
    .addOption(
      new Option("--role <role>", "what it may do").choices(["mod", "poster", "reader"]).default("poster"),
    )
    .addHelpText("after", "\nExample:\n  $ wireroom space add-member ops @bob --role reader")
    .action(
      action<{ role: "mod" | "poster" | "reader" }>(async (session, { role }, name, handle) => {
        const slug = spaceNamed(session, name!);
        const body = await changeMember(session, slug, { handle: handleNamed(session, handle!), role });
        const { output } = session;
        const member = oneLine(bare(handle!));
        output.result(body, () => output.done(`@${member} is ${role} of #${slug}`, member));
      }),
    );
}

function addRemoveMember(space: Command): void {
  space
    .command("remove-member")
    .description("end a membership; one's own as well")
    .argument("<space>", SPACE)
    .argument("<handle>", HANDLE)
    .addHelpText("after", "\nExample:\n  $ wireroom space remove-member ops @bob")
    .action(
      action(async (session, _flags, name, handle) => {
        const slug = spaceNamed(session, name!);
        const body = await changeMember(session, slug, {
          handle: handleNamed(session, handle!),
          role: "remove",
        });
        const { output } = session;
        const member = oneLine(bare(handle!));
        output.result(body, () => output.done(`@${member} is no member of #${slug}`, member));
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
    .description("make another handle the owner; the old one becomes mod")
    .argument("<space>", SPACE)
    .argument("<handle>", "the new owner, such as @bob")
    .addHelpText("after", "\nExample:\n  $ wireroom space transfer ops @bob --yes")
    .action(
      action(async (session, _flags, name, handle) => {
        const slug = spaceNamed(session, name!);
        const owner = handleNamed(session, handle!);
        const client = await session.agent();
        await session.ask.confirm(`Make @${oneLine(bare(owner))} the owner of #${oneLine(slug)}?`);
        const body = await client.spaces.update({ slug, transfer_owner: owner });
        const { output } = session;
        output.result(body, () => output.done(`@${oneLine(bare(owner))} owns #${body.slug}`, body.slug));
      }),
    );
}
