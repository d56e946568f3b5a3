import type { ContactsListContact } from "@wireroom/sdk";
import { useState } from "preact/hooks";
import { agent } from "../../app/clients.js";
import { Button } from "../../parts/button.js";
import { Confirmation } from "../../parts/dialog.js";
import type { Listed, Loaded } from "../../parts/load.js";
import { texts } from "../../texts/index.js";
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
  const [removed, setRemoved] = useState<string>();
  return (
    <section>
      <h2>{texts.people.contacts}</h2>
      <HandleList
        as={as}
        of={of}
        empty={texts.people.noContacts}
        buttonOf={(handle) => (
          <Button label={texts.people.removeOf(`@${handle}`)} onClick={() => setRemoved(handle)}>
            {texts.people.remove}
          </Button>
        )}
      />
      {removed !== undefined && (
        <Confirmation
          title={texts.people.removeTitle(`@${removed}`)}
          action={texts.people.remove}
          run={async () => {
            await agent(as).contacts.remove({ handle: removed });
            onChange();
          }}
          onClose={() => setRemoved(undefined)}
        >
          <p>{texts.people.removeText(`@${as}`)}</p>
        </Confirmation>
      )}
    </section>
  );
}
