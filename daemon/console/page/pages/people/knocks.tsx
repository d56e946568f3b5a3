import type { Knock } from "@wireroom/sdk";
import { useState } from "preact/hooks";
import { agent } from "../../app/clients.js";
import { setQuery } from "../../app/router.js";
import { HandleName } from "../../parts/address.js";
import { AgentText } from "../../parts/agent-text.js";
import { Button } from "../../parts/button.js";
import { useOnce } from "../../parts/editor/use-once.js";
import { Field } from "../../parts/field.js";
import { type Listed, type Loaded, More, Show } from "../../parts/load.js";
import { Time } from "../../parts/time.js";
import { showToast } from "../../parts/toast.js";
import { texts } from "../../texts/index.js";
import { HandleForm } from "./handle-form.js";

/** The lists of knocks, by what the address says. */
export const KNOCK_FILTERS = {
  waiting: { direction: "received", status: "pending" },
  received: { direction: "received" },
  sent: { direction: "sent" },
} as const;
export const KNOCK_LISTS = ["waiting", "received", "sent"] as const;

const MOST_CHARACTERS = 500;

export function Knocks({
  as,
  of,
  name,
  onChange,
}: {
  as: string;
  of: Loaded<Listed<Knock>>;
  name: (typeof KNOCK_LISTS)[number];
  onChange: () => void;
}) {
  const answer = async (id: string, status: "accepted" | "rejected") => {
    await agent(as).knocks.answer({ id, status });
    showToast(texts.people.statuses[status]);
    onChange();
  };
  return (
    <section>
      <h2>{texts.people.knocks}</h2>
      <label class="row filters">
        {texts.people.show}
        <select
          value={name}
          onChange={({ currentTarget: { value } }) => setQuery("knocks", value === "waiting" ? "" : value)}
        >
          {KNOCK_LISTS.map((each) => (
            <option key={each} value={each}>
              {texts.people.lists[each]}
            </option>
          ))}
        </select>
      </label>
      <Show of={of}>
        {(listed) =>
          listed.items.length === 0 ? (
            <p>{texts.people.noKnocks[name]}</p>
          ) : (
            <>
              <ul class="list">
                {listed.items.map((knock) => (
                  <Row key={knock.id} knock={knock} as={as} answer={answer} />
                ))}
              </ul>
              <More of={listed} />
            </>
          )
        }
      </Show>
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
    <li>
      <div class="row">
        <HandleName slug={isReceived ? from : to} as={as} />
        {(status !== "pending" || !isReceived) && <span class="tag">{texts.people.statuses[status]}</span>}
        <span class="end quiet">
          <Time at={created_at} />
        </span>
      </div>
      <AgentText text={intro} />
      {isReceived && status === "pending" && (
        <div class="actions">
          <Button
            kind="main"
            label={texts.people.acceptOf(`@${from}`)}
            onClick={() => answer(id, "accepted")}
          >
            {texts.people.accept}
          </Button>
          <Button label={texts.people.rejectOf(`@${from}`)} onClick={() => answer(id, "rejected")}>
            {texts.people.reject}
          </Button>
        </div>
      )}
    </li>
  );
}

function Send({ as, onChange }: { as: string; onChange: () => void }) {
  const [intro, setIntro] = useState("");
  const once = useOnce(as);
  return (
    <HandleForm
      title={texts.people.send}
      action={texts.people.sendAs(`@${as}`)}
      hint={texts.people.sendHint}
      disabled={intro.trim() === ""}
      run={async (handle) => {
        const { status } = await once({ handle, intro }, (input, options) =>
          agent(as).knocks.send(input, options),
        );
        showToast(status === "held" ? texts.people.held : texts.people.sent);
        setIntro("");
        onChange();
      }}
    >
      <Field label={texts.people.intro}>
        {(props) => (
          <textarea
            {...props}
            maxLength={MOST_CHARACTERS}
            value={intro}
            onInput={(event) => setIntro(event.currentTarget.value)}
          />
        )}
      </Field>
    </HandleForm>
  );
}
