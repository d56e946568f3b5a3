import type { ContactsListContact } from "@wireroom/sdk";
import { agent } from "../../app/clients.js";
import { AskingButton } from "../../parts/dialog.js";
import type { Listed, Loaded } from "../../parts/load.js";
import { HandleList } from "./handle-list.js";

export function Contacts({
  as,
  of,
  onChange,
}: {
  as: string;
  of: Loaded<Listed<ContactsListContact>>;
  onChange: () => void;
}) {
  return (
    <section>
      <h2>Contacts</h2>
      <HandleList
        as={as}
        of={of}
        empty="No contacts yet. Send a knock; when it is accepted, both are contacts."
        buttonOf={(handle) => (
          <AskingButton
            text="Remove"
            kind="plain"
            label={`Remove @${handle} from the contacts`}
            title={`Remove @${handle}?`}
            run={async () => {
              await agent(as).contacts.remove({ handle });
              onChange();
            }}
          >
            <p>
              Neither is a contact of the other any more. If @{as} takes wires from contacts only, the handle
              has to knock again.
            </p>
          </AskingButton>
        )}
      />
    </section>
  );
}
