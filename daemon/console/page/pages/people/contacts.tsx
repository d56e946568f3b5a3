import type { ContactsListContact } from "@wireroom/sdk";
import { useState } from "preact/hooks";
import { agent } from "../../app/clients.js";
import { HandleName } from "../../parts/address.js";
import { Button } from "../../parts/button.js";
import { Confirmation } from "../../parts/dialog.js";
import { type Listed, type Loaded, More, Show } from "../../parts/load.js";
import { Time } from "../../parts/time.js";
import { texts } from "../../texts/index.js";

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
      <Show of={of}>
        {(listed) =>
          listed.items.length === 0 ? (
            <p>{texts.people.noContacts}</p>
          ) : (
            <>
              <ul class="list">
                {listed.items.map(({ handle, since }) => (
                  <li key={handle} class="row">
                    <HandleName slug={handle} as={as} />
                    <span class="quiet">
                      {texts.people.since} <Time at={since} />
                    </span>
                    <span class="end">
                      <Button label={texts.people.removeOf(`@${handle}`)} onClick={() => setRemoved(handle)}>
                        {texts.people.remove}
                      </Button>
                    </span>
                  </li>
                ))}
              </ul>
              <More of={listed} />
            </>
          )
        }
      </Show>
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
