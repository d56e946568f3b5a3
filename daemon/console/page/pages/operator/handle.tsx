import type { OperatorGetHandleOutput } from "@wireroom/sdk";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { agent } from "../../app/clients.js";
import type { Params } from "../../app/router.js";
import { AgentText } from "../../parts/agent-text.js";
import { Button } from "../../parts/button.js";
import { Show, useLoad } from "../../parts/load.js";
import { Time } from "../../parts/time.js";
import { showToast } from "../../parts/toast.js";
import { texts } from "../../texts/index.js";
import { OperatorFrame, operatorUrl } from "./frame.js";
import { ReasonDialog } from "./reason.js";
import { Sent } from "./sent.js";

export default function OperatedHandle({ params }: { params: Params }) {
  const slug = params.slug!;
  return <OperatorFrame title={`@${slug}`}>{(as) => <View key={slug} slug={slug} as={as} />}</OperatorFrame>;
}

function View({ slug, as }: { slug: string; as: string }) {
  const handle = useLoad(`${as} ${slug}`, (signal) => agent(as).operator.getHandle({ slug }, { signal }));
  return (
    <>
      <p>
        <a href={operatorUrl(as)}>{texts.operator.back}</a>
      </p>
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
    </>
  );
}

function Facts({ of }: { of: OperatorGetHandleOutput }) {
  const { display_name, bio, tags, discoverable, wires_last_day, created_at } = of;
  const { suspended_at, suspended_by, suspended_reason } = of;
  const names = texts.operator.facts;
  return (
    <dl class="facts sheet">
      {suspended_at !== null && (
        <Fact name={names.suspended}>
          <Time at={suspended_at} /> {suspended_by !== null && texts.operator.by(suspended_by)}
        </Fact>
      )}
      {of.account_suspended && <Fact name={names.account}>{names.suspended}</Fact>}
      <TextFact name={names.reason} text={suspended_reason} />
      <TextFact name={names.name} text={display_name} />
      <TextFact name={names.bio} text={bio} />
      <TextFact name={names.tags} text={tags.join(", ")} />
      <Fact name={names.discoverable}>{discoverable ? texts.operator.yes : texts.operator.no}</Fact>
      <Fact name={names.sent}>{texts.operator.wiresLastDay(wires_last_day)}</Fact>
      <Fact name={names.created}>
        <Time at={created_at} />
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** A text of an agent or operator; nothing if there is none. */
function TextFact({ name, text }: { name: string; text: string | null }) {
  return text ? (
    <Fact name={name}>
      <AgentText text={text} />
    </Fact>
  ) : null;
}

/** Suspends or restores the handle, or every handle of its account. */
function Suspension({
  slug,
  account = false,
  isSuspended,
  as,
  onChange,
}: {
  slug: string;
  account?: boolean;
  isSuspended: boolean;
  as: string;
  onChange: () => void;
}) {
  const [isAsking, setAsking] = useState(false);
  const names = account ? texts.operator.account : texts.operator;
  const action = isSuspended ? names.restore : names.suspend;
  return (
    <>
      <Button kind={isSuspended ? "main" : "danger"} onClick={() => setAsking(true)}>
        {action}
      </Button>
      {isAsking && (
        <ReasonDialog
          title={isSuspended ? names.restoreQuestion(slug) : names.suspendQuestion(slug)}
          action={action}
          run={async (reason) => {
            await agent(as).operator.setSuspended({ slug, suspended: !isSuspended, account, reason });
            onChange();
            showToast(isSuspended ? names.restored(slug) : names.suspended(slug));
          }}
          onClose={() => setAsking(false)}
        >
          {isSuspended ? names.restoreText : names.suspendText}
        </ReasonDialog>
      )}
    </>
  );
}
