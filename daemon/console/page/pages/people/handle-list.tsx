import type { ComponentChildren } from "preact";
import { HandleName } from "../../parts/address.js";
import { List, type Listed, type Loaded } from "../../parts/load.js";
import { Time } from "../../parts/time.js";

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
    <List of={of} empty={<p>{empty}</p>}>
      {({ handle, since }) => (
        <li key={handle} class="row">
          <HandleName slug={handle} as={as} />
          <span class="quiet">
            Since <Time at={since} />
          </span>
          <span class="end">{buttonOf(handle)}</span>
        </li>
      )}
    </List>
  );
}
