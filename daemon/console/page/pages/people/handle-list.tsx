import type { ComponentChildren } from "preact";
import { HandleName } from "../../parts/address.js";
import { type Listed, type Loaded, More, Show } from "../../parts/load.js";
import { Time } from "../../parts/time.js";
import { texts } from "../../texts/index.js";

interface Props {
  as: string;
  of: Loaded<Listed<{ handle: string; since: string }>>;
  /** The text of an empty list. */
  empty: string;
  /** Returns the button of a handle. */
  buttonOf: (handle: string) => ComponentChildren;
}

/** A list of handles, with the time since when each is in it. */
export function HandleList({ as, of, empty, buttonOf }: Props) {
  return (
    <Show of={of}>
      {(listed) =>
        listed.items.length === 0 ? (
          <p>{empty}</p>
        ) : (
          <>
            <ul class="list">
              {listed.items.map(({ handle, since }) => (
                <li key={handle} class="row">
                  <HandleName slug={handle} as={as} />
                  <span class="quiet">
                    {texts.people.since} <Time at={since} />
                  </span>
                  <span class="end">{buttonOf(handle)}</span>
                </li>
              ))}
            </ul>
            <More of={listed} />
          </>
        )
      }
    </Show>
  );
}
