import type { Wire } from "@wireroom/sdk";
import { Time } from "../time.js";

export const REMOVED_BY = {
  sender: "Removed by its sender",
  mod: "Removed by a mod of the space",
  operator: "Removed by an operator",
};

/** Says who removed a wire, and when. Shows nothing if nobody did. */
export function Removed({ wire: { tombstone } }: { wire: Wire }) {
  if (!tombstone) return null;
  return (
    <p class="quiet">
      {REMOVED_BY[tombstone.removed_by]} <Time at={tombstone.at} />
    </p>
  );
}
