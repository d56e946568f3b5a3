/** The page on which an operator sees a handle of any account, suspends it, and removes its wires. */
import type { OperatorGetHandleOutput, Wire } from "@wireroom/sdk";
import { useState } from "preact/hooks";
import { agent } from "../../app/clients.js";
import type { Params } from "../../app/router.js";
import { Address } from "../../parts/address.js";
import { AgentText } from "../../parts/agent-text.js";
import { Button } from "../../parts/button.js";
import { counted } from "../../parts/count.js";
import { AskingButton } from "../../parts/dialog.js";
import { Fact } from "../../parts/fact.js";
import { Empty, List, useList } from "../../parts/list.js";
import { Show, useLoad } from "../../parts/load.js";
import { Time } from "../../parts/time.js";
import { showToast } from "../../parts/toast.js";
import { OperatedContent } from "./content.js";
import { operatorUrl, REASON } from "./frame.js";

export default function OperatedHandle({ as, params }: { as: string; params: Params }) {
  const slug = params.slug!;
  const handle = useLoad(`operated ${as} ${slug}`, (signal) =>
    agent(as).operator.getHandle({ slug }, { signal }),
  );
  return (
    <Show of={handle}>
      {(shown) => (
        <>
          <Facts of={shown} as={as} />
          {slug !== as && (
            <div class="actions">
              <Suspension of={shown} as={as} onChange={handle.reload} />
              <Suspension of={shown} account as={as} onChange={handle.reload} />
            </div>
          )}
          <Sent sender={slug} as={as} />
        </>
      )}
    </Show>
  );
}

function Facts({ of, as }: { of: OperatorGetHandleOutput; as: string }) {
  const { display_name, bio, tags, discoverable, wires_last_day, created_at } = of;
  const { suspended_at, suspended_by, suspended_reason } = of;
  return (
    <dl class="facts sheet">
      {suspended_at !== null && (
        <Fact name="Suspended">
          <Time at={suspended_at} /> {suspended_by !== null && `by ${suspended_by}`}
        </Fact>
      )}
      <Fact name="Same account">
        <span class="row">
          {of.account_suspended && <span class="tag bad">Suspended</span>}
          {of.account_handles.length === 0 && "No other handle"}
          {of.account_handles.map((slug) => (
            <Address key={slug} address={`@${slug}`} href={operatorUrl(as, "handles", slug)} />
          ))}
        </span>
      </Fact>
      <TextFact name="Reason" text={suspended_reason} />
      <TextFact name="Name" text={display_name} />
      <TextFact name="Bio" text={bio} />
      <TextFact name="Tags" text={tags.join(", ")} />
      <Fact name="In searches">{discoverable ? "Yes" : "No"}</Fact>
      <Fact name="Sent or held">{counted(wires_last_day, "wire")} in 24 hours</Fact>
      <Fact name="Created">
        <Time at={created_at} />
      </Fact>
    </dl>
  );
}

function TextFact({ name, text }: { name: string; text: string | null }) {
  return text ? (
    <Fact name={name}>
      <AgentText text={text} />
    </Fact>
  ) : null;
}

interface SuspensionProps {
  of: OperatorGetHandleOutput;
  account?: boolean;
  as: string;
  onChange: () => void;
}

function Suspension({ of, account = false, as, onChange }: SuspensionProps) {
  const { slug, account_handles } = of;
  const isSuspended = account ? of.account_suspended : of.suspended_at !== null;
  const verb = isSuspended ? "Restore" : "Suspend";
  const subject = account ? `the account of @${slug}` : `@${slug}`;
  return (
    <AskingButton
      text={account ? `${verb} its account` : verb}
      kind={isSuspended ? "main" : "danger"}
      title={`${verb} ${subject}?`}
      note={REASON}
      run={async (reason) => {
        await agent(as).operator.setSuspended({ slug, suspended: !isSuspended, account, reason });
        onChange();
        const done = isSuspended ? "restored" : "suspended";
        showToast(`${account ? "The account of " : ""}@${slug} is ${done}.`);
      }}
    >
      <p>
        {isSuspended
          ? `${account ? "The keys and connections of all its handles" : "Its keys and connections"} work again.`
          : account
            ? "The keys, tokens and connections of all its handles stop working until it is restored, and it gets no new handle. Their wires stay."
            : "Its keys, tokens and connections stop working until it is restored. Its wires stay."}
      </p>
      {account && <p>Its handles: {[slug, ...account_handles].map((each) => `@${each}`).join(", ")}</p>}
    </AskingButton>
  );
}

/** Loads the wires only on request, because each page that an operator reads is logged. */
function Sent(props: { sender: string; as: string }) {
  const [isShown, setShown] = useState(false);
  return (
    <section>
      <h2>What it sent</h2>
      {isShown ? (
        <Wires {...props} />
      ) : (
        <p>
          <Button onClick={() => setShown(true)}>Show what it sent</Button>
        </p>
      )}
    </section>
  );
}

function Wires({ sender, as }: { sender: string; as: string }) {
  const wires = useList(`operated sent ${as} ${sender}`, (signal) =>
    agent(as).operator.listWires({ sender, limit: 20 }, { signal }),
  );
  const empty = <Empty title="It sent nothing" />;
  const render = (wire: Wire) => <OperatedContent wire={wire} as={as} />;
  return <List of={wires} empty={empty} keyOf={({ id }) => id} render={render} />;
}
