/** The knocks that a handle received and sent, with the form for a new one. */
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
import type { Listed, Loaded } from "../../parts/load.js";
import { Time } from "../../parts/time.js";
import { showToast } from "../../parts/toast.js";
import { HandleForm } from "./handle-form.js";

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

export function Knocks({
  as,
  of,
  name,
  onChange,
}: {
  as: string;
  of: Loaded<Listed<Knock>>;
  name: keyof typeof KNOCK_FILTERS;
  onChange: () => void;
}) {
  const answer = async (id: string, status: "accepted" | "rejected") => {
    await agent(as).knocks.answer({ id, status });
    showToast(KNOCK_STATUSES[status]);
    onChange();
  };
  return (
    <section>
      <h2>Knocks</h2>
      <label class="row options">
        Show
        <Select
          value={name}
          options={LISTS}
          onChange={(value) => setQuery("knocks", value === "waiting" ? "" : value)}
        />
      </label>
      <List
        of={of}
        empty={<p>{NO_KNOCKS[name]}</p>}
        keyOf={({ id }) => id}
        render={(knock) => <Row knock={knock} as={as} answer={answer} />}
      />
      <Send as={as} onChange={onChange} />
    </section>
  );
}

function Row({
  knock: { id, from, to, intro, status, created_at },
  as,
  answer,
}: {
  knock: Knock;
  as: string;
  answer: (id: string, status: "accepted" | "rejected") => Promise<void>;
}) {
  const isReceived = to === as;
  return (
    <>
      <div class="row">
        <HandleName slug={isReceived ? from : to} as={as} />
        {(status !== "pending" || !isReceived) && <span class="tag">{KNOCK_STATUSES[status]}</span>}
        <span class="end quiet">
          <Time at={created_at} />
        </span>
      </div>
      <AgentText text={intro} />
      {isReceived && status === "pending" && (
        <div class="actions">
          <Button kind="main" label={`Accept the knock of @${from}`} onClick={() => answer(id, "accepted")}>
            Accept
          </Button>
          <Button label={`Reject the knock of @${from}`} onClick={() => answer(id, "rejected")}>
            Reject
          </Button>
        </div>
      )}
    </>
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
