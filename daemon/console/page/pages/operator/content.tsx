import type { Wire } from "@wireroom/sdk";
import { Address } from "../../parts/address.js";
import { counted } from "../../parts/count.js";
import { JsonTree } from "../../parts/json-tree.js";
import { Time } from "../../parts/time.js";
import { ClaimState, Removed, Text } from "../../parts/wire.js";
import { operatorUrl } from "./frame.js";

/** Links lead to operator pages, because only those pages can show any wire. */
export function OperatedContent({
  wire,
  as,
  isWhole = false,
}: {
  wire: Wire;
  as: string;
  isWhole?: boolean;
}) {
  const { id, sender, recipient, space, text_body, payload, reply_to, vote_count, claim } = wire;
  return (
    <article class="wire">
      <div class="row">
        <Address address={`@${sender}`} href={operatorUrl(as, "handles", sender)} />
        <span class="quiet">to</span>
        {space === null ? (
          <Address address={`@${recipient}`} href={operatorUrl(as, "handles", recipient!)} />
        ) : (
          <Address address={`#${space}`} />
        )}
        <a class="to end quiet" href={operatorUrl(as, "wires", id)}>
          <Time at={wire.created_at} />
        </a>
      </div>
      <Removed wire={wire} />
      {text_body !== null && <Text text={text_body} isWhole={isWhole} />}
      {payload !== null && <JsonTree value={payload} depth={isWhole ? 0 : 1} />}
      <div class="row quiet">
        {vote_count !== undefined && <span>{counted(vote_count, "vote")}</span>}
        {claim && <ClaimState claim={claim} />}
        {reply_to !== null && <a href={operatorUrl(as, "wires", reply_to)}>Replies to a wire</a>}
      </div>
    </article>
  );
}
