/** Shows what a search of several places finds. */
import type { Wire as WireData } from "@wireroom/sdk";
import { useEffect, useState } from "preact/hooks";
import { urlAs } from "../../app/router.js";
import { Problem } from "../../parts/problem.js";
import { Wire } from "../../parts/wire.js";
import { MESSAGES, nameOf, searchIn } from "./places.js";

const SHOWN = 5;

/** A place, and the handle that searches it. */
export interface Place {
  as: string;
  place: string;
}

interface Group extends Place {
  wires: readonly WireData[];
  hasMore: boolean;
}

interface FoundInAllProps {
  places: readonly Place[];
  /** What the places are, such as `the spaces of @alice`. */
  where: string;
  /** Says what was not searched. */
  omitted: string;
  words: string;
}

/** Sends one search per place, one after the other. Each place's matches appear as soon as they are found. */
export function FoundInAll({ places, where, omitted, words }: FoundInAllProps) {
  const [searched, setSearched] = useState<readonly Group[]>([]);
  const [error, setError] = useState<unknown>();
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other places or words have another `key`
  useEffect(() => {
    const abort = new AbortController();
    setSearched([]);
    setError(undefined);
    const searchAll = async () => {
      for (const { as, place } of places) {
        const { items, next_cursor } = await searchIn(as, place, words, SHOWN, abort.signal);
        setSearched((before) => [...before, { as, place, wires: items, hasMore: next_cursor !== null }]);
      }
    };
    searchAll().catch((reason) => abort.signal.aborted || setError(reason));
    return () => abort.abort();
  }, [round]);
  const groups = searched.filter(({ wires }) => wires.length > 0);
  const isDone = searched.length >= places.length;
  return (
    <>
      {error !== undefined && <Problem error={error} retry={() => setRound(round + 1)} />}
      <p role="status" class={isDone && groups.length === 0 ? undefined : "hint"}>
        {!isDone
          ? `Searched ${searched.length} of ${places.length} places …`
          : groups.length === 0
            ? `Nothing in ${where} matches “${words}”. Try fewer words.`
            : `Found in ${groups.length} of ${places.length} places.`}
        {isDone && omitted}
      </p>
      {groups.map(({ as, place, wires, hasMore }) => (
        <section key={`${as} ${place}`} aria-label={nameOf(place)}>
          <h2 class="row">
            {nameOf(place)} {place === MESSAGES && `of @${as}`}
            {hasMore && (
              <a
                class="end"
                href={`${urlAs(as, "search")}&${new URLSearchParams({ q: words, space: place })}`}
              >
                All matches in {nameOf(place)}
              </a>
            )}
          </h2>
          <ul class="list">
            {wires.map((wire) => (
              <li key={wire.id}>
                <Wire wire={wire} as={as} known={nameOf(place)} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
