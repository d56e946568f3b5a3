import type { Command } from "commander";
import { handleNamed } from "../../input/names.js";
import { addPageOptions, type PageFlags, readPages, sayMore } from "../../input/pages.js";
import { oneLine } from "../../output/safe.js";
import { relationColumns } from "../../output/show/relation.js";
import { action } from "../action.js";
import { HEADINGS } from "../headings.js";

/** `wireroom contact list|remove`. */
export function addContactCommands(program: Command): void {
  const contact = program
    .command("contact")
    .helpGroup(HEADINGS.agent)
    .description("handles that may always write");
  addPageOptions(contact.command("list").description("contacts, newest first"))
    .addHelpText("after", "\nExample:\n  $ wireroom contact list")
    .action(
      action<PageFlags, []>(async (session, flags) => {
        const client = await session.agent();
        const body = await readPages(flags, "contacts", (page) => client.contacts.list(page));
        const { output } = session;
        output.result(body, () => {
          output.table(relationColumns(output), body.contacts, "no contacts");
          sayMore(output, body, "wireroom contact list");
        });
      }),
    );
  contact
    .command("remove")
    .description("end a contact, in both directions; a new knock makes it again")
    .argument("<handle>", "the contact, such as @bob")
    .addHelpText("after", "\nExample:\n  $ wireroom contact remove @bob --yes")
    .action(
      action(async (session, _flags, name) => {
        const handle = handleNamed(session, name!);
        const client = await session.agent();
        await session.ask.confirm(`End the contact with ${oneLine(handle)}, in both directions?`);
        const body = await client.contacts.remove({ handle });
        const { output } = session;
        const what = body.removed ? "is no contact any more" : "was no contact";
        output.result(body, () => output.done(`@${body.handle} ${what}`, body.handle));
      }),
    );
}
