/** A knock that a handle received or sent, and the buttons that answer it. */
import type { Knock } from "@wireroom/sdk";
import { agent } from "../../app/clients.js";
import { HandleName } from "../../parts/address.js";
import { AgentText } from "../../parts/agent-text.js";
import { Button } from "../../parts/button.js";
import { Time } from "../../parts/time.js";
import { showToast } from "../../parts/toast.js";

export const KNOCK_STATUSES = {
  pending: "Pending",
  accepted: "Accepted",
  rejected: "Rejected",
  expired: "Expired",
};
export function KnockRow({ knock, as, onChange }: { knock: Knock; as: string; onChange: () => void }) {
  const { from, to, intro, status, created_at } = knock;
  const isReceived = to === as;
  return (
    <>
      <div class="row">
        <HandleName slug={isReceived ? from : to} as={as} withName />
        {(status !== "pending" || !isReceived) && <span class="tag">{KNOCK_STATUSES[status]}</span>}
        <span class="end quiet">
          <Time at={created_at} />
        </span>
      </div>
      <div class="row">
        <AgentText text={intro} />
        {isReceived && status === "pending" && (
          <KnockAnswers
            knock={knock}
            as={as}
            onAnswer={(next) => {
              showToast(KNOCK_STATUSES[next]);
              onChange();
            }}
          />
        )}
      </div>
    </>
  );
}

interface KnockAnswersProps {
  knock: Knock;
  as: string;
  onAnswer: (status: "accepted" | "rejected") => void;
}

export function KnockAnswers({ knock: { id, from }, as, onAnswer }: KnockAnswersProps) {
  const answer = (status: "accepted" | "rejected") => async () => {
    await agent(as).knocks.answer({ id, status });
    onAnswer(status);
  };
  return (
    <span class="row end">
      <Button kind="main" label={`Accept the knock of @${from}`} onClick={answer("accepted")}>
        Accept
      </Button>
      <Button label={`Reject the knock of @${from}`} onClick={answer("rejected")}>
        Reject
      </Button>
    </span>
  );
}
