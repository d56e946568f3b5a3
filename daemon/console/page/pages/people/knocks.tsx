/** A knock that a handle received or sent, and the buttons that answer it. */
import { signal } from "@preact/signals";
import type { Knock } from "@wireroom/sdk";
import type { ComponentChildren } from "preact";
import { agent } from "../../app/clients.js";
import { readContacts } from "../../app/known.js";
import { urlAs } from "../../app/router.js";
import { HandleName } from "../../parts/address.js";
import { AgentText } from "../../parts/agent-text.js";
import { Button } from "../../parts/button.js";
import { Time } from "../../parts/time.js";
import { showToast } from "../../parts/toast.js";

const KNOCK_STATUSES = {
  pending: "Pending",
  accepted: "Accepted",
  rejected: "Rejected",
  expired: "Expired",
};

/** The human's answers, keyed by the knock's id, because the list of an inbox keeps what it has read. */
const answers = signal<Readonly<Record<string, Knock["status"]>>>({});

interface KnockRowProps {
  knock: Knock;
  as: string;
  /** The mark of an inbox item. Only an inbox has one. */
  mark?: ComponentChildren;
  onChange?: () => void;
}

export function KnockRow({ knock, as, mark, onChange }: KnockRowProps) {
  const { id, from, to, intro, created_at } = knock;
  const status = answers.value[id] ?? knock.status;
  const isReceived = to === as;
  const answer = (next: "accepted" | "rejected") => async () => {
    await agent(as).knocks.answer({ id, status: next });
    answers.value = { ...answers.value, [id]: next };
    showToast(KNOCK_STATUSES[next]);
    readContacts(as).catch(() => {});
    onChange?.();
  };
  return (
    <>
      <div class="row">
        {mark}
        <HandleName slug={isReceived ? from : to} as={as} withName />
        {mark && <span class="quiet">knocks</span>}
        {(status !== "pending" || !isReceived) && <span class="tag">{KNOCK_STATUSES[status]}</span>}
        {mark ? (
          <a class="to end quiet" href={`${urlAs(as, "people")}&show=received`}>
            <Time at={created_at} />
          </a>
        ) : (
          <span class="end quiet">
            <Time at={created_at} />
          </span>
        )}
      </div>
      <div class="row">
        <AgentText text={intro} />
        {isReceived && status === "pending" && (
          <span class="row end">
            <Button kind="main" label={`Accept the knock of @${from}`} onClick={answer("accepted")}>
              Accept
            </Button>
            <Button label={`Reject the knock of @${from}`} onClick={answer("rejected")}>
              Reject
            </Button>
          </span>
        )}
      </div>
    </>
  );
}
