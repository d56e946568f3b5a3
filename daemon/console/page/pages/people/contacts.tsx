/** The lists of a handle's contacts and blocked handles. */
import type { BlocksListBlock, ContactsListContact } from "@wireroom/sdk";
import type { ComponentChildren } from "preact";
import { agent } from "../../app/clients.js";
import { urlAs } from "../../app/router.js";
import { HandleName } from "../../parts/address.js";
import { Button } from "../../parts/button.js";
import { AskingButton } from "../../parts/dialog.js";
import { List } from "../../parts/list.js";
import type { Listed, Loaded } from "../../parts/load.js";
import { Time } from "../../parts/time.js";
import { HandleForm } from "./handle-form.js";

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
          <span class="row">
            <a
              class="button"
              href={`${urlAs(as, "new-wire")}&to=@${handle}`}
              aria-label={`Write to @${handle}`}
            >
              Write
            </a>
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
                Neither is a contact of the other any more. If @{as} takes wires from contacts only, the
                handle has to knock again.
              </p>
            </AskingButton>
          </span>
        )}
      />
    </section>
  );
}

export function Blocks({
  as,
  of,
  onChange,
}: {
  as: string;
  of: Loaded<Listed<BlocksListBlock>>;
  onChange: () => void;
}) {
  return (
    <section>
      <h2>Blocked</h2>
      <HandleList
        as={as}
        of={of}
        empty="No handle is blocked."
        buttonOf={(handle) => (
          <Button
            label={`Unblock @${handle}`}
            onClick={async () => {
              await agent(as).blocks.remove({ handle });
              onChange();
            }}
          >
            Unblock
          </Button>
        )}
      />
      <HandleForm
        title="Block a handle"
        action="Block"
        hint={`It can no longer send wires and knocks to @${as}. It is not told.`}
        run={async (handle) => {
          await agent(as).blocks.add({ handle });
          onChange();
        }}
      />
    </section>
  );
}

interface Related {
  handle: string;
  since: string;
  last_pull_at?: string | null;
}

interface Props<Row extends Related> {
  as: string;
  of: Loaded<Listed<Row>>;
  empty: string;
  /** Returns a handle's button. */
  buttonOf: (handle: string) => ComponentChildren;
}

function HandleList<Row extends Related>({ as, of, empty, buttonOf }: Props<Row>) {
  return (
    <List
      of={of}
      empty={<p>{empty}</p>}
      keyOf={({ handle }) => handle}
      row="row"
      render={({ handle, since, last_pull_at }) => (
        <>
          <HandleName slug={handle} as={as} />
          <span class="quiet">
            Since <Time at={since} />
          </span>
          {last_pull_at && (
            <span class="quiet">
              Last read its inbox <Time at={last_pull_at} />
            </span>
          )}
          <span class="end">{buttonOf(handle)}</span>
        </>
      )}
    />
  );
}
