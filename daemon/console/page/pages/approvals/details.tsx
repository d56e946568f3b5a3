/** Shows one approval: the wire or knock, and the facts for the decision. */
import type { Approval, Wire as WireData } from "@wireroom/sdk";
import { agent, dashboard } from "../../app/clients.js";
import { knownBy } from "../../app/known.js";
import { urlAs, urlOf } from "../../app/router.js";
import { Address, HandleName } from "../../parts/address.js";
import { AgentText } from "../../parts/agent-text.js";
import { Fact } from "../../parts/fact.js";
import { JsonTree } from "../../parts/json-tree.js";
import { Show, useLoad } from "../../parts/load.js";
import { Time } from "../../parts/time.js";
import { SchemaLink } from "../../parts/wire/schema-link.js";
import { Removed, Wire } from "../../parts/wire.js";
import { secretsOf } from "./filter.js";
import { Recipient, RecipientProfile } from "./recipient.js";
import { nameOf, STATUSES } from "./store.js";

const THREAD_SIZE = 20;
/** Number of further levels of a payload that are expanded, because the human approves all of it. */
const OPENED_LEVELS = 3;
const LIFETIME_MS = 14 * 86_400_000;

export function Details({ approval }: { approval: Approval }) {
  const { handle, target, wire, knock, status, created_at } = approval;
  const { hops = 0, mentions = [] } = wire ?? {};
  const text = wire?.text_body ?? knock?.intro;
  const secrets = secretsOf(approval);
  const isContact = status === "pending" && knownBy(handle).value?.contacts.has(target.slice(1));
  return (
    <section class="sheet" aria-label={nameOf(approval)}>
      <h2 class="row">
        <HandleName slug={handle} as={handle} />
        <span class="quiet">to</span>
        {target.startsWith("@") ? (
          <HandleName slug={target.slice(1)} as={handle} />
        ) : (
          <Address address={target} href={urlAs(handle, "spaces", target.slice(1))} />
        )}
        <span class="end quiet">
          <Time at={created_at} />
        </span>
      </h2>
      <Recipient handle={handle} target={target} />
      {status !== "pending" && <Decision approval={approval} />}
      {secrets.length > 0 && <p class="alert">This looks like a secret: {secrets.join(", ")}</p>}
      {wire && <Removed wire={wire} />}
      {knock && <p class="quiet">Asks to become a contact{isContact && ", which it already is"}:</p>}
      {text && (
        <p class="words">
          <AgentText text={text} />
        </p>
      )}
      {wire && wire.payload !== null && <JsonTree value={wire.payload} depth={-OPENED_LEVELS} />}
      <dl class="facts">
        <RecipientProfile handle={handle} target={target} />
        {mentions.length > 0 && (
          <Fact name="Mentions">
            <span class="row">
              {mentions.map((slug) => (
                <HandleName key={slug} slug={slug} as={handle} />
              ))}
            </span>
          </Fact>
        )}
        {hops > 0 && (
          <Fact name="Replies">
            {hops === 1
              ? "The first reply of an agent in a row"
              : `${hops} replies of agents in a row, without a human`}
          </Fact>
        )}
        {wire && wire.schema_ref !== null && (
          <Fact name="Schema">
            <SchemaLink schema={wire.schema_ref} as={handle} />
          </Fact>
        )}
        {status === "pending" && (
          <>
            <HeldBy handle={handle} target={target} />
            <Fact name="Expires">
              <Time at={new Date(Date.parse(created_at) + LIFETIME_MS).toISOString()} />
            </Fact>
          </>
        )}
      </dl>
      {wire && wire.reply_to !== null && <Thread handle={handle} wire={wire} replyTo={wire.reply_to} />}
    </section>
  );
}

/** Also says what the policy does now, because the wire stays held if it changes. */
function HeldBy({ handle, target }: Pick<Approval, "handle" | "target">) {
  const policy = useLoad(`egress ${handle}`, (signal) => dashboard.egress.get({ slug: handle }, { signal }));
  const { mode, allow = [], deny = [] } = policy.data ?? {};
  const isAllowed = mode === "open" || allow.includes(target);
  const isForbidden = deny.includes(target) || (mode === "allowlist" && !isAllowed);
  return (
    <Fact name="Held by">
      <a href={urlOf("handles", handle, "egress")}>The policy of @{handle}</a>, which asked you, because{" "}
      {target} was on neither of its lists.
      {(isForbidden || isAllowed) && ` It ${isForbidden ? "forbids" : "allows"} ${target} now.`}
    </Fact>
  );
}

function Decision({ approval: { status, decided_at, note, error } }: { approval: Approval }) {
  return (
    <div class={status === "approved" && !error ? "done" : "alert"}>
      <p>
        {STATUSES[status]} {decided_at !== null && <Time at={decided_at} />}
        {error && `, but not sent: ${error.message}`}
      </p>
      {note !== null && <AgentText text={note} />}
    </div>
  );
}

/** Shows the first wires of the thread, and the wire to which the held one replies. */
function Thread({ handle, wire, replyTo }: { handle: string; wire: WireData; replyTo: string }) {
  const thread = useLoad(`thread so far ${handle} ${wire.id}`, async (signal) => {
    const { threads, wires } = agent(handle);
    const input = { id: wire.thread_id, limit: THREAD_SIZE };
    const { wires: first } = await threads.get(input, { signal });
    if (first.some(({ id }) => id === replyTo)) return first;
    return [...first, await wires.get({ id: replyTo }, { signal })];
  });
  return (
    <section>
      <h3>The thread so far</h3>
      <Show of={thread}>
        {(wires) => (
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
