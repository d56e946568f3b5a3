import { EGRESS_MODES, type EgressPolicy } from "@wireroom/sdk";
import { useId, useRef, useState } from "preact/hooks";
import { agent, dashboard } from "../../app/clients.js";
import type { Params } from "../../app/router.js";
import { Address } from "../../parts/address.js";
import { Button } from "../../parts/button.js";
import { NameInput } from "../../parts/field.js";
import { Show, useLoad } from "../../parts/load.js";
import { showProblem, showToast } from "../../parts/toast.js";
import { texts } from "../../texts/index.js";
import { HandleFrame } from "./frame.js";

const LISTS = ["allow", "deny"] as const;
const TARGET = /^[@#][a-z0-9-]{3,32}$/;

export default function Egress({ params }: { params: Params }) {
  return (
    <HandleFrame slug={params.slug!} tab="egress">
      {({ slug }) => <Content slug={slug} />}
    </HandleFrame>
  );
}

/** Where a handle may send to, and whether it may publish. */
function Content({ slug }: { slug: string }) {
  const policy = useLoad(slug, (signal) => dashboard.egress.get({ slug }, { signal }));
  const suggestions = useLoad(slug, (signal) => targetsOf(slug, signal));
  const id = useId();
  const last = useRef<Promise<unknown>>(Promise.resolve());
  /**
   * Changes are sent one after the other. The response to an earlier one would hide a later one if it arrived
   * last.
   */
  const change = (input: object): Promise<void> => {
    const changed = last.current.then(async () => {
      policy.set(await dashboard.egress.update({ slug, ...input }));
      showToast(texts.egress.saved);
    });
    last.current = changed.catch(() => {});
    return changed;
  };
  /** The choice is shown before it is stored. Otherwise a rendering meanwhile would undo it for the eye. */
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
          <fieldset class="sheet">
            <legend class="hidden">{texts.egress.mode}</legend>
            {EGRESS_MODES.map((mode) => (
              <label key={mode} class="check">
                <input
                  type="radio"
                  name="mode"
                  checked={current.mode === mode}
                  onChange={() => choose(current, { mode })}
                />
                <span>
                  <strong>{texts.egress.modes[mode]}</strong> {texts.egress.modeTexts[mode]}
                </span>
              </label>
            ))}
          </fieldset>
          <fieldset class="sheet">
            <legend class="hidden">{texts.egress.publish}</legend>
            <label class="check">
              <input
                type="checkbox"
                checked={current.publish}
                onChange={(event) => choose(current, { publish: event.currentTarget.checked })}
              />
              <span>
                <strong>{texts.egress.publish}</strong> {texts.egress.publishText}
              </span>
            </label>
            <p class="hint">{texts.egress.publishStops}</p>
            <p class="hint">{texts.egress.publishAllows}</p>
          </fieldset>
          <datalist id={id}>
            {suggestions.data?.map((target) => (
              <option key={target} value={target} />
            ))}
          </datalist>
          {LISTS.map((list) => (
            <Targets key={list} list={list} policy={current} datalist={id} change={change} />
          ))}
        </>
      )}
    </Show>
  );
}

interface TargetsProps {
  list: (typeof LISTS)[number];
  policy: EgressPolicy;
  datalist: string;
  change: (input: object) => Promise<void>;
}

function Targets({ list, policy, datalist, change }: TargetsProps) {
  const [text, setText] = useState("");
  const target = text.trim();
  const id = useId();
  return (
    <form class="sheet" onSubmit={(event) => event.preventDefault()}>
      <h2>{texts.egress.lists[list]}</h2>
      <p class="hint">{texts.egress.listTexts[list]}</p>
      <ul class="bare">
        {policy[list].map((each) => (
          <li key={each} class="row">
            <Address address={each} />
            <Button
              kind="link"
              label={texts.egress.removeTarget(each)}
              onClick={() => change({ forget: [each] })}
            >
              {texts.egress.remove}
            </Button>
          </li>
        ))}
        {policy[list].length === 0 && <li class="quiet">{texts.egress.nobody}</li>}
      </ul>
      <p class="row">
        <label for={id}>{texts.egress.add}</label>
        <NameInput
          id={id}
          list={datalist}
          value={text}
          placeholder={texts.egress.placeholder}
          onInput={setText}
        />
        <Button
          type="submit"
          disabled={!TARGET.test(target)}
          onClick={async () => {
            await change(list === "allow" ? { also_allow: [target] } : { also_deny: [target] });
            setText("");
          }}
        >
          {texts.egress.addButton}
        </Button>
      </p>
    </form>
  );
}

/**
 * Returns the targets that the human may mean: contacts and spaces of the handle, and the human's other
 * handles.
 */
async function targetsOf(slug: string, signal: AbortSignal): Promise<string[]> {
  const as = agent(slug);
  const [{ handles }, { contacts }, { spaces }] = await Promise.all([
    dashboard.handles.list({ limit: 100 }, { signal }),
    as.contacts.list({ limit: 100 }, { signal }),
    as.spaces.list({ limit: 100 }, { signal }),
  ]);
  const own = handles.filter((handle) => handle.slug !== slug);
  return [
    ...contacts.map(({ handle }) => `@${handle}`),
    ...own.map((handle) => `@${handle.slug}`),
    ...spaces.map((space) => `#${space.slug}`),
  ];
}
