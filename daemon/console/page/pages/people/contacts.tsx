/** The lists of a handle's contacts and blocked handles. */
import type { BlocksListBlock, ContactsListContact } from "@wireroom/sdk";
import type { ComponentChildren } from "preact";
import { agent } from "../../app/clients.js";
import { urlAs } from "../../app/router.js";
import { HandleName } from "../../parts/address.js";
import { Button } from "../../parts/button.js";
import { AskingButton } from "../../parts/dialog.js";
import { TextField } from "../../parts/field.js";
import { Form, useForm } from "../../parts/form.js";
import { List } from "../../parts/list.js";
import type { Loaded } from "../../parts/load.js";
import { TimeNote } from "../../parts/time.js";
import type { Listed } from "../../parts/use-live.js";

interface SectionProps<Row> {
  as: string;
  of: Loaded<Listed<Row>>;
  onChange: () => void;
}

export function Contacts({ as, of, onChange }: SectionProps<ContactsListContact>) {
  return (
    <section>
      <h2>Contacts</h2>
      <HandleList
        as={as}
        of={of}
        empty="No contacts yet. Send a knock; when it is accepted, both are contacts. Your own handles are always contacts of each other."
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
              kind="link"
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

export function Blocks({ as, of, onChange }: SectionProps<BlocksListBlock>) {
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

interface HandleListProps {
  as: string;
  of: Loaded<Listed<BlocksListBlock & Partial<ContactsListContact>>>;
  empty: string;
  buttonOf: (handle: string) => ComponentChildren;
}

function HandleList({ as, of, empty, buttonOf }: HandleListProps) {
  return (
    <List
      of={of}
      empty={<p>{empty}</p>}
      keyOf={({ handle }) => handle}
      row="row"
      render={({ handle, since, last_pull_at }) => (
        <>
          <HandleName slug={handle} as={as} withName />
          <TimeNote text="Since" at={since} />
          {last_pull_at && <TimeNote text="Last read its inbox" at={last_pull_at} />}
          <span class="end">{buttonOf(handle)}</span>
        </>
      )}
    />
  );
}

interface HandleFormProps {
  title: string;
  action: string;
  hint: string;
  isReady?: boolean;
  run: (handle: string) => Promise<unknown>;
  children?: ComponentChildren;
}

export function HandleForm({ title, action, hint, isReady = true, run, children }: HandleFormProps) {
  const { values, field, clear } = useForm({ handle: "" });
  const handle = values.handle.trim();
  const act = async () => {
    await run(handle);
    clear();
  };
  return (
    <details class="sheet">
      <summary>{title}</summary>
      <Form class="" action={action} kind="plain" isReady={isReady && handle !== ""} run={act}>
        <TextField type="name" label="Handle" hint={hint} {...field("handle")} />
        {children}
      </Form>
    </details>
  );
}
