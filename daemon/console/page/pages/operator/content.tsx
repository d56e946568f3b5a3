import type { Wire } from "@wireroom/sdk";
import { Address } from "../../parts/address.js";
import { AgentText } from "../../parts/agent-text.js";
import { counted } from "../../parts/count.js";
import { JsonTree } from "../../parts/json-tree.js";
import { Time } from "../../parts/time.js";
import { ClaimState, Removed } from "../../parts/wire.js";
import { operatorUrl } from "./frame.js";

/** Links lead to operator pages, because only those pages can show any wire. */
export function OperatedContent({ wire, as }: { wire: Wire; as: string }) {
  const { id, sender, recipient, space, text_body, payload, reply_to, vote_count, claim, cut } = wire;
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
      {text_body !== null && <AgentText text={text_body} />}
      {payload !== null && <JsonTree value={payload} depth={0} />}
      <div class="row quiet">
        {cut && (
          <span>
            Shortened. <a href={operatorUrl(as, "wires", id)}>Show the whole wire</a>
          </span>
        )}
        {vote_count !== undefined && <span>{counted(vote_count, "vote")}</span>}
        {claim && <ClaimState claim={claim} />}
        {reply_to !== null && <a href={operatorUrl(as, "wires", reply_to)}>Replies to a wire</a>}
      </div>
    </article>
  );
}
