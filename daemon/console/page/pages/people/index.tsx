/** Shows the knocks that wait for an answer, and then everybody whom the acting handle knows. */
import type { Knock } from "@wireroom/sdk";
import { useEffect, useState } from "preact/hooks";
import { agent } from "../../app/clients.js";
import { knownBy, readContacts } from "../../app/known.js";
import { keyIn, query, setQuery } from "../../app/router.js";
import { whileVisible } from "../../app/while-visible.js";
import { Button } from "../../parts/button.js";
import { Select } from "../../parts/field.js";
import { contains, Filter } from "../../parts/filter.js";
import { List, useList } from "../../parts/list.js";
import { useLoad } from "../../parts/load.js";
import { HandleDialog } from "./dialogs.js";
import { KnockRow } from "./knocks.js";
import { type Person, PersonRow } from "./person.js";

/** Interval at which the lists are read again, because the handle's agent or another tab may change them. */
const READ_AGAIN_MS = 10_000;

const KNOCKS = {
  waiting: { direction: "received", status: "pending" },
  received: { direction: "received" },
  sent: { direction: "sent" },
} as const;
/** Keyed by `?show=`. */
const SHOWN = {
  everybody: "Everybody",
  contact: "Contacts",
  own: "Your handles",
  blocked: "Blocked",
  received: "Knocks received",
  sent: "Knocks sent",
};
const NOBODY: Partial<Record<keyof typeof SHOWN, string>> = {
  received: "This handle has received no knocks.",
  sent: "This handle has sent no knocks.",
  blocked: "No handle is blocked.",
  own: "You have no other handle. Your handles are always contacts of each other.",
};
const NO_CONTACTS = "No contacts yet. Send a knock; when it is accepted, both are contacts.";

export default function People({ as }: { as: string }) {
  const show = keyIn(SHOWN, query.value.get("show")) ?? "everybody";
  const listed = show === "received" || show === "sent" ? show : "waiting";
  const [words, setWords] = useState("");
  const [dialog, setDialog] = useState<"knock" | "block">();
  const { blocks, knocks } = agent(as);
  const list = useList(`knocks ${as} ${listed}`, (signal) => knocks.list(KNOCKS[listed], { signal }));
  const others = useLoad(`people ${as}`, async (signal) => {
    const [asked, blocked] = await Promise.all([
      Array.fromAsync(knocks.list({ direction: "sent", status: "pending", limit: 100 }, { signal })),
      Array.fromAsync(blocks.list({ limit: 100 }, { signal })),
      readContacts(as),
    ]);
    return { asked, blocked };
  });
  const reload = () => {
    void list.reload();
    void others.reload();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: `reload` is a new function at each call, and depends on these alone
  useEffect(() => whileVisible(reload, READ_AGAIN_MS), [as, listed]);

  const known = knownBy(as).value;
  const isMatch = (slug: string) => contains(`@${slug} ${known?.names.get(slug) ?? ""}`, words);
  const { asked = [], blocked = [] } = others.data ?? {};
  const everybody: Person[] = [
    ...asked.map(({ to, created_at }) => ({ relation: "asked" as const, handle: to, since: created_at })),
    ...[...(known?.contacts.values() ?? [])].map((each) => ({ ...each, relation: "contact" as const })),
    ...[...(known?.own ?? [])].map((handle) => ({ relation: "own" as const, handle })),
    ...blocked.map((each) => ({ ...each, relation: "blocked" as const })),
  ];
  const people = everybody.filter(
    ({ handle, relation }) => handle !== as && (show === "everybody" || show === relation) && isMatch(handle),
  );
  const knockRow = (knock: Knock) => <KnockRow knock={knock} as={as} onChange={reload} />;
  const keyOf = ({ id }: Knock) => id;
  const empty = <p class="quiet">{words === "" ? (NOBODY[show] ?? NO_CONTACTS) : "Nobody matches."}</p>;
  return (
    <>
      {listed === "waiting" && (
        <section>
          <h2>Waiting for an answer</h2>
          <List
            of={list}
            keyOf={keyOf}
            render={knockRow}
            empty={<p class="quiet">No knock waits for an answer.</p>}
          />
        </section>
      )}
      <Filter label="Filter by name" words={words} onWords={setWords}>
        <Select
          aria-label="Show"
          value={show}
          options={SHOWN}
          onChange={(value) => setQuery("show", value === "everybody" ? "" : value)}
        />
        <span class="row end">
          <Button onClick={() => setDialog("knock")}>Send a knock</Button>
          <Button onClick={() => setDialog("block")}>Block a handle</Button>
        </span>
      </Filter>
      {dialog && <HandleDialog as={as} kind={dialog} onDone={reload} onClose={() => setDialog(undefined)} />}
      {listed === "waiting" ? (
        <List
          of={{ ...others, data: known && others.data && { items: people, more: undefined } }}
          keyOf={({ relation, handle }) => `${relation} ${handle}`}
          render={(person) => <PersonRow {...person} as={as} onChange={reload} />}
          empty={empty}
        />
      ) : (
        <List
          of={{
            ...list,
            data: list.data && {
              ...list.data,
              items: list.data.items.filter(({ from, to }) => isMatch(listed === "sent" ? to : from)),
            },
          }}
          keyOf={keyOf}
          render={knockRow}
          empty={empty}
        />
      )}
      {show === "everybody" && known?.contacts.size === 0 && people.length > 0 && (
        <p class="quiet">{NO_CONTACTS}</p>
      )}
    </>
  );
}
