import type { Wire } from "@wireroom/sdk";
import { texts } from "../../texts/index.js";
import { Time } from "../time.js";

/** Says who removed a wire, and when. Shows nothing if nobody did. */
export function Removed({ wire: { tombstone } }: { wire: Wire }) {
  if (!tombstone) return null;
  return (
    <p class="quiet">
      {texts.wire.removedBy[tombstone.removed_by]} <Time at={tombstone.at} />
    </p>
  );
}
