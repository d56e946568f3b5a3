import type { Approval, Wire as WireData } from "@wireroom/sdk";
import { agent } from "../../app/clients.js";
import { HandleName } from "../../parts/address.js";
import { AgentText } from "../../parts/agent-text.js";
import { Show, useLoad } from "../../parts/load.js";
import { Time } from "../../parts/time.js";
import { Wire } from "../../parts/wire.js";
import { nameOf, STATUSES } from "./store.js";

const KINDS = { wire: "Wire", knock: "Knock (a contact request)" };

const THREAD_SIZE = 20;

export function Details({ approval }: { approval: Approval }) {
  const { handle, target, kind, wire, knock, status, created_at, error } = approval;
  return (
    <section class="sheet" aria-label={nameOf(approval)}>
      <h2>{KINDS[kind]}</h2>
      <dl class="facts">
        <dt>Held</dt>
        <dd>
          <Time at={created_at} />
        </dd>
        {status !== "pending" && (
          <>
            <dt>State</dt>
            <dd>{STATUSES[status]}</dd>
          </>
        )}
      </dl>
      {error && <p class="alert">{error.message}</p>}
      {wire && <Wire wire={wire} as={handle} isWhole />}
      {knock && (
        <>
          <p class="row">
            <HandleName slug={handle} as={handle} /> to <HandleName slug={target.slice(1)} as={handle} />
          </p>
          <p>
            <AgentText text={knock.intro} />
          </p>
        </>
      )}
      <p class="hint">
        Held because @{handle} sends only with your approval, and {target} is on none of its lists.
      </p>
      {wire?.reply_to && <Thread handle={handle} wire={wire} />}
    </section>
  );
}

function Thread({ handle, wire }: { handle: string; wire: WireData }) {
  const thread = useLoad(`thread so far ${wire.thread_id}`, (signal) =>
    agent(handle).threads.get({ id: wire.thread_id, limit: THREAD_SIZE }, { signal }),
  );
  return (
    <section>
      <h3>The thread so far</h3>
      <Show of={thread}>
        {({ wires }) => (
          <ol class="list">
            {wires
              .filter(({ id }) => id !== wire.id)
              .map((each) => (
                <li key={each.id}>
                  <Wire wire={each} as={handle} />
                </li>
              ))}
          </ol>
        )}
      </Show>
    </section>
  );
}
