/** The page on which an operator sees a handle of any account, suspends it, and removes its wires. */
import type { OperatorGetHandleOutput, Wire } from "@wireroom/sdk";
import { useState } from "preact/hooks";
import { agent } from "../../app/clients.js";
import type { Params } from "../../app/router.js";
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
import { REASON } from "./frame.js";

export default function OperatedHandle({ as, params }: { as: string; params: Params }) {
  const slug = params.slug!;
  const handle = useLoad(`operated ${as} ${slug}`, (signal) =>
    agent(as).operator.getHandle({ slug }, { signal }),
  );
  return (
    <Show of={handle}>
      {(shown) => (
        <>
          <Facts of={shown} />
          {slug !== as && (
            <div class="actions">
              <Suspension
                slug={slug}
                isSuspended={shown.suspended_at !== null}
                as={as}
                onChange={handle.reload}
              />
              <Suspension
                slug={slug}
                account
                isSuspended={shown.account_suspended}
                as={as}
                onChange={handle.reload}
              />
            </div>
          )}
          <Sent sender={slug} as={as} />
        </>
      )}
    </Show>
  );
}

function Facts({ of }: { of: OperatorGetHandleOutput }) {
  const { display_name, bio, tags, discoverable, wires_last_day, created_at } = of;
  const { suspended_at, suspended_by, suspended_reason } = of;
  return (
    <dl class="facts sheet">
      {suspended_at !== null && (
        <Fact name="Suspended">
          <Time at={suspended_at} /> {suspended_by !== null && `by ${suspended_by}`}
        </Fact>
      )}
      {of.account_suspended && <Fact name="Account">Suspended</Fact>}
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
  slug: string;
  account?: boolean;
  isSuspended: boolean;
  as: string;
  onChange: () => void;
}

function Suspension({ slug, account = false, isSuspended, as, onChange }: SuspensionProps) {
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
    agent(as).operator.listWires({ sender, brief: true }, { signal }),
  );
  const empty = <Empty title="It sent nothing" />;
  const render = (wire: Wire) => <OperatedContent wire={wire} as={as} />;
  return <List of={wires} empty={empty} keyOf={({ id }) => id} render={render} />;
}
