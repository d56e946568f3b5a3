import type { Command } from "commander";
import { parseHandleArgument } from "../../input/arguments.js";
import { addPageOptions, type PageFlags, printNextPageHint, readPages } from "../../input/pages.js";
import { oneLine } from "../../output/safe.js";
import { relationColumns } from "../../output/show/relation.js";
import { HEADINGS } from "../headings.js";
import { withSession } from "../with-session.js";

/** Adds `wireroom contact list|remove`. */
export function addContactCommands(program: Command): void {
  const contact = program
    .command("contact")
    .helpGroup(HEADINGS.agent)
    .description("list and remove contacts");
  addPageOptions(contact.command("list").description("list contacts, newest first"))
    .addHelpText("after", "\nExample:\n  $ wireroom contact list")
    .action(
      withSession<PageFlags, []>(async (session, flags) => {
        const client = await session.agent();
        const body = await readPages(flags, "contacts", (page) => client.contacts.list(page));
        const { output } = session;
        output.result(body, () => {
          output.table(relationColumns(output), body.contacts, "no contacts");
          printNextPageHint(output, body, "wireroom contact list");
        });
      }),
    );
  contact
    .command("remove")
    .description("remove a contact for both handles; to restore it, knock again")
    .argument("<handle>", "the contact, such as @bob")
    .addHelpText("after", "\nExample:\n  $ wireroom contact remove @bob --yes")
    .action(
      withSession(async (session, _flags, name) => {
        const handle = parseHandleArgument(session, name!);
        const client = await session.agent();
        await session.prompt.confirm(`Remove the contact ${oneLine(handle)} for both handles?`);
        const body = await client.contacts.remove({ handle });
        const { output } = session;
        const what = body.removed ? "is no longer a contact" : "was not a contact";
        output.result(body, () => output.success(`@${body.handle} ${what}`, `@${body.handle}`));
      }),
    );
}
