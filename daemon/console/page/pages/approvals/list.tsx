/** The list of waiting approvals, with its filters and the selection. */
import type { Approval } from "@wireroom/sdk";
import { Fragment } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { acting } from "../../app/acting.js";
import { isLoadedFor } from "../../app/known.js";
import { urlOf } from "../../app/router.js";
import { LookAlike } from "../../parts/address.js";
import { Button } from "../../parts/button.js";
import { Select } from "../../parts/field.js";
import { Filter } from "../../parts/filter.js";
import { previewOf } from "../../parts/json-tree.js";
import { Time } from "../../parts/time.js";
import { KINDS, type Kind, kindsOf, NO_FILTER, type PendingFilter } from "./filter.js";
import { nameOf, snippetOf } from "./store.js";

/** The labels of the kinds that a row names. */
const TAGS: Partial<Record<Kind, string>> = {
  secret: "Apparent secret",
  reply: "Reply",
  payload: "Payload",
  knock: "Knock",
};

/** Returns the first entries of a payload beside a text. Without a text, the row shows the payload itself. */
function payloadOf({ wire }: Approval): string {
  return wire && wire.text_body !== null ? ` ${previewOf(wire.payload)}` : "";
}

interface PaneProps {
  list: readonly Approval[];
  /** Approvals that match the filter, in the displayed order. */
  shown: readonly Approval[];
  groups: readonly (readonly Approval[])[] | undefined;
  /** Id of the approval whose details are shown. */
  current: string | undefined;
  chosen: ReadonlySet<string>;
  filter: PendingFilter;
  onToggle: (id: string, isRange: boolean) => void;
  onSelect: (ids: ReadonlySet<string>) => void;
  onGroup: () => void;
  onHelp: () => void;
  onFilter: (filter: PendingFilter) => void;
}

export function Pane(props: PaneProps) {
  const { list, shown, groups, current, chosen, filter, onToggle, onSelect, onGroup, onHelp, onFilter } =
    props;
  const rows = useRef<HTMLUListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: grouping changes the order of the rows
  useLayoutEffect(() => {
    rows.current?.querySelector('[aria-current="true"]')?.scrollIntoView({ block: "nearest" });
  }, [current, groups === undefined]);
  const choose = (ids: readonly Approval[], isOn: boolean) => {
    const next = new Set(chosen);
    for (const { id } of ids) isOn ? next.add(id) : next.delete(id);
    onSelect(next);
  };
  const row = (each: Approval) => (
    <Row
      key={each.id}
      approval={each}
      isCurrent={each.id === current}
      isChosen={chosen.has(each.id)}
      onToggle={onToggle}
    />
  );
  const isFiltered = shown.length < list.length;
  return (
    <div class="pane">
      <div class="pane-head">
        <div class="row">
          <Choice of={shown} what="all that is shown" chosen={chosen} onChoose={choose} />
          <span role="status">
            {chosen.size > 0
              ? `${chosen.size} selected`
              : `${isFiltered ? `${shown.length} of ` : ""}${list.length} waiting`}
          </span>
          <span class="end row">
            {chosen.size > 0 ? (
              <Button kind="link" onClick={() => onSelect(new Set())}>
                Clear the selection
              </Button>
            ) : (
              <>
                <Button kind="link" onClick={onGroup}>
                  {groups ? "Do not group" : "Group"}
                </Button>
                <span class="help">
                  <Button kind="link" onClick={onHelp}>
                    Keyboard shortcuts
                  </Button>
                </span>
              </>
            )}
          </span>
        </div>
        {list.length > 1 && <Filters list={list} filter={filter} onFilter={onFilter} />}
      </div>
      {shown.length === 0 && (
        <p>
          Nothing matches.{" "}
          <Button kind="link" onClick={() => onFilter(NO_FILTER)}>
            Show all
          </Button>
        </p>
      )}
      <ul ref={rows} class="list">
        {groups?.map((group) => (
          <Fragment key={nameOf(group[0]!)}>
            <li class="group row">
              <Choice of={group} what={`all of ${nameOf(group[0]!)}`} chosen={chosen} onChoose={choose} />
              <strong>{nameOf(group[0]!)}</strong>
              <span class="quiet">{group.length}</span>
            </li>
            {group.map(row)}
          </Fragment>
        )) ?? shown.map(row)}
      </ul>
    </div>
  );
}

interface ChoiceProps {
  of: readonly Approval[];
  what: string;
  chosen: ReadonlySet<string>;
  onChoose: (approvals: readonly Approval[], isOn: boolean) => void;
}

/** A check box that selects several approvals at once. */
function Choice({ of, what, chosen, onChoose }: ChoiceProps) {
  const count = of.filter(({ id }) => chosen.has(id)).length;
  return (
    <input
      type="checkbox"
      aria-label={`Select ${what}`}
      checked={count > 0 && count === of.length}
      indeterminate={count > 0 && count < of.length}
      onChange={(event) => onChoose(of, event.currentTarget.checked)}
    />
  );
}

function Filters({ list, filter, onFilter }: Pick<PaneProps, "list" | "filter" | "onFilter">) {
  const select = (field: "handle" | "target", label: string, prefix: string) => {
    // The filter is kept, so its value may be that of no approval any more.
    const values = [...new Set([filter[field], ...list.map((each) => each[field])])].filter(Boolean).sort();
    return (
      <Select
        aria-label={label}
        value={filter[field]}
        options={[
          ["", `All ${label.toLowerCase()}s`],
          ...values.map((each) => [each, prefix + each] as const),
        ]}
        onChange={(value) => onFilter({ ...filter, [field]: value })}
      />
    );
  };
  return (
    <Filter words={filter.words} onWords={(words) => onFilter({ ...filter, words })}>
      {select("handle", "Sender", "@")}
      {select("target", "Recipient", "")}
      <Select
        aria-label="Kind"
        value={filter.kind}
        options={{ "": "All kinds", ...KINDS }}
        onChange={(kind) => onFilter({ ...filter, kind })}
      />
    </Filter>
  );
}

interface RowProps {
  approval: Approval;
  isCurrent: boolean;
  isChosen: boolean;
  onToggle: PaneProps["onToggle"];
}

function Row({ approval, isCurrent, isChosen, onToggle }: RowProps) {
  const { id, handle, target, created_at } = approval;
  const tags = kindsOf(approval).flatMap((kind) => TAGS[kind] ?? []);
  // Reading another handle's contacts needs an access token, so they are read when the human decides.
  const as = isCurrent || isChosen || isLoadedFor(handle) ? handle : acting.value!;
  return (
    <li aria-current={isCurrent ? "true" : undefined} class="pick">
      <input
        type="checkbox"
        aria-label={`Select ${nameOf(approval)}`}
        checked={isChosen}
        onClick={(event) => onToggle(id, event.shiftKey)}
      />
      <a class="to" data-keep-scroll href={urlOf("approvals", id)}>
        <Heading approval={approval} at={created_at} />
        <span class="snippet" dir="auto">
          {snippetOf(approval)}
        </span>
      </a>
      <span class="tags">
        {tags.map((tag) => (
          <span key={tag} class={tag === TAGS.secret ? "tag bad" : "tag"}>
            {tag}
            {tag === TAGS.payload && payloadOf(approval)}
          </span>
        ))}
        {target.startsWith("@") && <LookAlike slug={target.slice(1)} as={as} />}
      </span>
    </li>
  );
}

export function Heading({ approval, at }: { approval: Approval; at: string }) {
  return (
    <span class="heading">
      <strong>{nameOf(approval)}</strong>
      <span class="quiet">
        <Time at={at} />
      </span>
    </span>
  );
}
