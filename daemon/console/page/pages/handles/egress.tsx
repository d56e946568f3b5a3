/** The page of a handle's egress policy: where the handle may send, and whether it may publish. */
import type { EgressPolicy, Handle } from "@wireroom/sdk";
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { dashboard } from "../../app/clients.js";
import { Address } from "../../parts/address.js";
import { Button } from "../../parts/button.js";
import { Confirmation } from "../../parts/dialog.js";
import { TARGET, useTargets } from "../../parts/editor/targets.js";
import { CheckField, RadioField, TextField } from "../../parts/field.js";
import { Form, useForm } from "../../parts/form.js";
import { Show, useLoad } from "../../parts/load.js";
import { showProblem, showToast } from "../../parts/toast.js";

const named = (name: string, text: string) => (
  <span>
    <strong>{name}:</strong> {text}
  </span>
);
const MODES: Readonly<Record<EgressPolicy["mode"], ComponentChildren>> = {
  open: named("Open", "it may send to everybody, except those on the deny list."),
  approval: named("Approval", "what it sends to somebody on neither list waits for your approval."),
  allowlist: named("Allowlist", "it may send only to those on the allow list."),
};
export const MODE_WORDS: Readonly<Record<EgressPolicy["mode"], string>> = {
  open: "Writes to everybody",
  approval: "Asks before it writes to anybody who is not on its allow list",
  allowlist: "Writes only to its allow list",
};
const LISTS = {
  allow: ["Allow list", "It may always send to these handles and spaces."],
  deny: ["Deny list", "It may never send to these handles and spaces."],
} as const;
type ListName = keyof typeof LISTS;

export default function Egress({ handle: { slug } }: { handle: Handle }) {
  const policy = useLoad(`egress ${slug}`, (signal) => dashboard.egress.get({ slug }, { signal }));
  const known = useTargets(slug);
  const [isOpening, setOpening] = useState(false);
  const last = useRef<Promise<unknown>>(Promise.resolve());
  /**
   * Sends changes one after the other, and shows the response to the last one, so that no response overwrites
   * a later change.
   */
  const change = (input: object): Promise<void> => {
    const changed = last.current.then(async () => {
      const saved = await dashboard.egress.update({ slug, ...input });
      if (last.current === ended) policy.set(saved);
      showToast("Saved.");
    });
    const ended = changed.catch(() => {});
    last.current = ended;
    return changed;
  };
  /**
   * Shows the choice before it is saved, because a render during the request would otherwise show the old
   * value.
   */
  const choose = (current: EgressPolicy, choice: Partial<EgressPolicy>) => {
    policy.set({ ...current, ...choice });
    change(choice).catch((error: unknown) => {
      policy.set(current);
      showProblem(error);
    });
  };
  return (
    <Show of={policy}>
      {(current) => (
        <>
          <div class="sheet">
            <RadioField
              legend={<span class="hidden">Mode</span>}
              name="mode"
              value={isOpening ? "open" : current.mode}
              options={MODES}
              onChange={(mode) => (mode === "open" ? setOpening(true) : choose(current, { mode }))}
            />
            {isOpening && (
              <Confirmation
                title={`Let @${slug} send to everybody?`}
                action="Let it send"
                run={() => choose(current, { mode: "open" })}
                onClose={() => setOpening(false)}
              >
                <p>
                  It then sends without asking you, except to those on the deny list. What already waits for
                  your approval still waits.
                </p>
              </Confirmation>
            )}
          </div>
          <fieldset class="sheet">
            <legend class="hidden">Publish:</legend>
            <CheckField value={current.publish} onChange={(publish) => choose(current, { publish })}>
              {named("Publish", "it may change what others can read without being sent anything.")}
            </CheckField>
            <p class="hint">
              Without this, its keys and connections cannot change its profile, register schemas, create or
              change spaces, or add, change and remove members. No mode above stops these changes.
            </p>
            <p class="hint">
              It can still change who may write to it, leave spaces, vote, answer knocks, and delete wires.
              You can still make all changes here.
            </p>
          </fieldset>
          {(["allow", "deny"] as const).map((list) => (
            <Targets key={list} list={list} policy={current} known={known} change={change} />
          ))}
        </>
      )}
    </Show>
  );
}

interface TargetsProps {
  list: ListName;
  policy: EgressPolicy;
  known: readonly string[];
  change: (input: object) => Promise<void>;
}

function Targets({ list, policy, known, change }: TargetsProps) {
  const [title, hint] = LISTS[list];
  const name = `also_${list}`;
  const { values, field, clear } = useForm({ [name]: "" });
  const target = values[name]!.trim();
  const add = async () => {
    await change({ [name]: [target] });
    clear();
  };
  return (
    <Form title={title} action="Add" kind="plain" isReady={TARGET.test(target)} run={add}>
      <p class="hint">{hint}</p>
      <ul class="bare">
        {policy[list].map((each) => (
          <li key={each} class="row">
            <Address address={each} />
            <Button kind="link" label={`Remove ${each}`} onClick={() => change({ forget: [each] })}>
              Remove
            </Button>
          </li>
        ))}
        {policy[list].length === 0 && <li class="quiet">Empty</li>}
      </ul>
      <TextField
        type="name"
        label="Handle or space"
        placeholder="@handle or #space"
        known={known}
        {...field(name)}
      />
    </Form>
  );
}
