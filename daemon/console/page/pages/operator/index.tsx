import type { OperatorListHandlesHandle } from "@wireroom/sdk";
import { useState } from "preact/hooks";
import { agent } from "../../app/clients.js";
import { navigate, query, setQuery } from "../../app/router.js";
import { Address } from "../../parts/address.js";
import { AgentText } from "../../parts/agent-text.js";
import { Button } from "../../parts/button.js";
import { Empty } from "../../parts/empty.js";
import { Field, NameInput } from "../../parts/field.js";
import { More, Show, useList } from "../../parts/load.js";
import { Time } from "../../parts/time.js";
import { texts } from "../../texts/index.js";
import { OperatorFrame, operatorUrl } from "./frame.js";

/**
 * Where an operator finds what it decides about: any handle, or a wire by its id. The filters are in the
 * address.
 */
export default function Operator() {
  return (
    <OperatorFrame title={texts.operator.title}>
      {(as) => (
        <>
          <p>{texts.operator.text}</p>
          <Search as={as} />
          <Handles as={as} />
        </>
      )}
    </OperatorFrame>
  );
}

/** Returns the id of a wire, if the text is one or a URL of a wire. */
function wireIdOf(text: string): string | undefined {
  const id = /\/wires\/([\w-]+)/.exec(text)?.[1] ?? text;
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id) ? id : undefined;
}

function Search({ as }: { as: string }) {
  const [text, setText] = useState(query.value.get("q") ?? "");
  const find = () => {
    const wire = wireIdOf(text.trim());
    if (wire === undefined) setQuery("q", text.trim());
    else navigate(`/operator/wires/${wire}?as=${as}`);
  };
  return (
    <form class="sheet" onSubmit={(event) => event.preventDefault()}>
      <Field label={texts.operator.search} hint={texts.operator.searchHint}>
        {(props) => <NameInput {...props} value={text} onInput={setText} />}
      </Field>
      <Button kind="main" type="submit" onClick={find}>
        {texts.operator.find}
      </Button>
    </form>
  );
}

const FILTERS = ["all", "true", "false"] as const;

function Handles({ as }: { as: string }) {
  const q = query.value.get("q") ?? "";
  const suspended = FILTERS.find((each) => each === query.value.get("suspended")) ?? "all";
  const handles = useList(`${as} ${suspended} ${q}`, (signal) =>
    agent(as).operator.listHandles(
      { ...(q !== "" && { q: q.slice(0, 100) }), ...(suspended !== "all" && { suspended }) },
      { signal },
    ),
  );
  return (
    <>
      <Field label={texts.operator.which}>
        {(props) => (
          <select
            {...props}
            value={suspended}
            onChange={({ currentTarget: { value } }) => setQuery("suspended", value === "all" ? "" : value)}
          >
            {FILTERS.map((each) => (
              <option key={each} value={each}>
                {texts.operator.filters[each]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Show of={handles}>
        {(listed) =>
          listed.items.length === 0 ? (
            <Empty title={texts.operator.none}>
              <p>{texts.operator.noneText}</p>
            </Empty>
          ) : (
            <>
              <ul class="list">
                {listed.items.map((handle) => (
                  <Row key={handle.slug} handle={handle} as={as} />
                ))}
              </ul>
              <More of={listed} />
            </>
          )
        }
      </Show>
    </>
  );
}

function Row({ handle, as }: { handle: OperatorListHandlesHandle; as: string }) {
  const { slug, display_name, suspended_at, wires_last_day, created_at } = handle;
  return (
    <li class="row">
      <Address address={`@${slug}`} href={operatorUrl(as, "handles", slug)} />
      {display_name !== null && <AgentText text={display_name} />}
      {suspended_at !== null && <span class="tag bad">{texts.operator.isSuspended}</span>}
      {wires_last_day > 0 && <span class="quiet">{texts.operator.wiresLastDay(wires_last_day)}</span>}
      <span class="quiet end">
        <Time at={created_at} />
      </span>
    </li>
  );
}
