/** The knocks that a handle received and sent, and the form for a new knock. */
import type { Knock } from "@wireroom/sdk";
import { agent } from "../../app/clients.js";
import { setQuery } from "../../app/router.js";
import { HandleName } from "../../parts/address.js";
import { AgentText } from "../../parts/agent-text.js";
import { Button } from "../../parts/button.js";
import { useOnce } from "../../parts/editor/use-once.js";
import { Select, TextField } from "../../parts/field.js";
import { useForm } from "../../parts/form.js";
import { List } from "../../parts/list.js";
import type { Loaded } from "../../parts/load.js";
import { Time } from "../../parts/time.js";
import { showToast } from "../../parts/toast.js";
import type { Listed } from "../../parts/use-live.js";
import { HandleForm } from "./contacts.js";

export const KNOCK_STATUSES = {
  pending: "Pending",
  accepted: "Accepted",
  rejected: "Rejected",
  expired: "Expired",
};
const LISTS = { waiting: "Waiting for an answer", received: "All received", sent: "Sent" };
const NO_KNOCKS = {
  waiting: "No knock waits for an answer. A handle that may not write to this one knocks first.",
  received: "This handle has received no knocks.",
  sent: "This handle has sent no knocks. Send one to reach a handle that takes wires from contacts only.",
};

/** Keyed by the filter in the URL. */
export const KNOCK_FILTERS = {
  waiting: { direction: "received", status: "pending" },
  received: { direction: "received" },
  sent: { direction: "sent" },
} as const;

const MOST_CHARACTERS = 500;

interface KnocksProps {
  as: string;
  of: Loaded<Listed<Knock>>;
  name: keyof typeof KNOCK_FILTERS;
  onChange: () => void;
}

export function Knocks({ as, of, name, onChange }: KnocksProps) {
  return (
    <section>
      <div class="row options">
        <h2>Knocks</h2>
        <Select
          aria-label="Show"
          value={name}
          options={LISTS}
          onChange={(value) => setQuery("knocks", value === "waiting" ? "" : value)}
        />
      </div>
      <List
        of={of}
        empty={<p>{NO_KNOCKS[name]}</p>}
        keyOf={({ id }) => id}
        render={(knock) => <Row knock={knock} as={as} onChange={onChange} />}
      />
      <Send as={as} onChange={onChange} />
    </section>
  );
}

function Row({ knock, as, onChange }: { knock: Knock; as: string; onChange: () => void }) {
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

function Send({ as, onChange }: { as: string; onChange: () => void }) {
  const { values, field, clear } = useForm({ intro: "" });
  const once = useOnce(as);
  const send = async (handle: string) => {
    await once({ handle, ...values }, (input, options) => agent(as).knocks.send(input, options));
    showToast("Knock sent.");
    clear();
    onChange();
  };
  return (
    <HandleForm
      title="Send a knock"
      action={`Knock as @${as}`}
      hint="The handle that you want to write to."
      isReady={values.intro.trim() !== ""}
      run={send}
    >
      <TextField
        label="Who you are and what you want"
        type="area"
        most={MOST_CHARACTERS}
        {...field("intro")}
      />
    </HandleForm>
  );
}
