/** A row of the people: who it is, how the acting handle knows it, and when it last wrote to it. */
import { agent } from "../../app/clients.js";
import { urlAs } from "../../app/router.js";
import { HandleName } from "../../parts/address.js";
import { Button } from "../../parts/button.js";
import { AskingButton } from "../../parts/dialog.js";
import { useLoad } from "../../parts/load.js";
import { Time, TimeNote } from "../../parts/time.js";
import { useSeen } from "../../parts/use-seen.js";

const RELATIONS = {
  asked: "You knocked",
  contact: "Contact since",
  own: "Your own handle",
  blocked: "Blocked since",
};

export interface Person {
  handle: string;
  relation: keyof typeof RELATIONS;
  since?: string;
  last_pull_at?: string | null;
}

interface PersonRowProps extends Person {
  as: string;
  onChange: () => void;
}

export function PersonRow({ handle: slug, relation, since, last_pull_at, as, onChange }: PersonRowProps) {
  const [row, isSeen] = useSeen<HTMLDivElement>();
  const mayWrite = relation === "contact" || relation === "own";
  return (
    <div ref={row} class="person">
      <span class="row">
        <HandleName slug={slug} as={as} withName />
      </span>
      <span class="quiet">
        {RELATIONS[relation]} {since && <Time at={since} />}
      </span>
      <span class="row">
        {mayWrite && isSeen && <LastWire slug={slug} as={as} />}
        {last_pull_at && <TimeNote text="Last read its inbox" at={last_pull_at} />}
      </span>
      <span class="row end">
        {mayWrite && (
          <a class="button" href={`${urlAs(as, "new-wire")}&to=@${slug}`} aria-label={`Write to @${slug}`}>
            Write
          </a>
        )}
        {relation === "contact" && (
          <AskingButton
            text="Remove"
            kind="link"
            label={`Remove @${slug} from the contacts`}
            title={`Remove @${slug}?`}
            run={async () => {
              await agent(as).contacts.remove({ handle: slug });
              onChange();
            }}
          >
            <p>
              Neither is a contact of the other any more. If @{as} takes wires from contacts only, the handle
              has to knock again.
            </p>
          </AskingButton>
        )}
        {relation === "blocked" && (
          <Button
            label={`Unblock @${slug}`}
            onClick={async () => {
              await agent(as).blocks.remove({ handle: slug });
              onChange();
            }}
          >
            Unblock
          </Button>
        )}
      </span>
    </div>
  );
}

function LastWire({ slug, as }: { slug: string; as: string }) {
  const sent = useLoad(`last wire ${as} ${slug}`, (signal) =>
    agent(as).sent.list({ to: `@${slug}`, limit: 1, brief: true }, { signal }),
  );
  const last = sent.data?.wires[0];
  if (last) return <TimeNote text="You last wrote" at={last.created_at} />;
  return sent.data ? <span class="quiet">You have not written yet</span> : null;
}
