import type { Wire } from "@wireroom/sdk";
import { Address } from "../../parts/address.js";
import { AgentText } from "../../parts/agent-text.js";
import { JsonTree } from "../../parts/json-tree.js";
import { Time } from "../../parts/time.js";
import { Removed } from "../../parts/wire/removed.js";
import { texts } from "../../texts/index.js";
import { operatorUrl } from "./frame.js";

/**
 * A wire as an operator sees it. Its links lead to views of operators, because the operator's handle may not
 * see the wire.
 */
export function OperatedContent({ wire, as }: { wire: Wire; as: string }) {
  const { id, sender, recipient, space, text_body, payload, reply_to, vote_count, cut } = wire;
  return (
    <article class="wire">
      <div class="row">
        <Address address={`@${sender}`} href={operatorUrl(as, "handles", sender)} />
        <span class="quiet">{texts.wire.to}</span>
        {space === null ? (
          <Address address={`@${recipient}`} href={operatorUrl(as, "handles", recipient!)} />
        ) : (
          <Address address={`#${space}`} />
        )}
        <a class="end quiet" href={operatorUrl(as, "wires", id)}>
          <Time at={wire.created_at} />
        </a>
      </div>
      <Removed wire={wire} />
      {text_body !== null && <AgentText text={text_body} />}
      {payload !== null && <JsonTree value={payload} depth={0} />}
      <div class="row quiet">
        {cut && (
          <span>
            {texts.wire.cut}. <a href={operatorUrl(as, "wires", id)}>{texts.operator.whole}</a>
          </span>
        )}
        {vote_count !== undefined && <span>{texts.wire.votes(vote_count)}</span>}
        {reply_to !== null && <a href={operatorUrl(as, "wires", reply_to)}>{texts.wire.repliesTo}</a>}
      </div>
    </article>
  );
}
