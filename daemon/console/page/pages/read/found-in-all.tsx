import type { Wire as WireData } from "@wireroom/sdk";
import { useEffect, useState } from "preact/hooks";
import { setQuery } from "../../app/router.js";
import { Problem } from "../../parts/problem.js";
import { Wire } from "../../parts/wire.js";
import { MESSAGES, nameOf, searchIn } from "./places.js";

/** Maximum number of spaces to search. The page sends one search per space, one after the other. */
const MAX_SPACES = 20;
const SHOWN = 5;

interface Group {
  place: string;
  wires: readonly WireData[];
  hasMore: boolean;
}

/** Each place's matches appear as soon as they are found. */
export function FoundInAll({ as, spaces, words }: { as: string; spaces: readonly string[]; words: string }) {
  const [searched, setSearched] = useState<readonly Group[]>([]);
  const [error, setError] = useState<unknown>();
  const [round, setRound] = useState(0);
  const places = [MESSAGES, ...spaces.slice(0, MAX_SPACES)];
  // biome-ignore lint/correctness/useExhaustiveDependencies: another handle or search has another `key`
  useEffect(() => {
    const abort = new AbortController();
    setSearched([]);
    setError(undefined);
    const searchAll = async () => {
      for (const place of places) {
        const { items, next_cursor } = await searchIn(as, place, words, SHOWN, abort.signal);
        setSearched((before) => [...before, { place, wires: items, hasMore: next_cursor !== null }]);
      }
    };
    searchAll().catch((reason) => abort.signal.aborted || setError(reason));
    return () => abort.abort();
  }, [round]);
  const groups = searched.filter(({ wires }) => wires.length > 0);
  const isDone = searched.length === places.length;
  return (
    <>
      {error !== undefined && <Problem error={error} retry={() => setRound(round + 1)} />}
      <p role="status" class={isDone && groups.length === 0 ? undefined : "hint"}>
        {!isDone
          ? `Searched ${searched.length} of ${places.length} places …`
          : groups.length === 0
            ? `Nothing in the direct messages and spaces of @${as} matches “${words}”. Try fewer words.`
            : `Found in ${groups.length} of ${places.length} places.`}
        {isDone &&
          spaces.length > MAX_SPACES &&
          ` Only the first ${MAX_SPACES} of ${spaces.length} spaces were searched. Choose one of the others to search it.`}
      </p>
      {groups.map(({ place, wires, hasMore }) => (
        <section key={place} aria-label={nameOf(place)}>
          <h2 class="row">
            {nameOf(place)}
            {hasMore && (
              <button type="button" class="link end" onClick={() => setQuery("space", place)}>
                All matches in {nameOf(place)}
              </button>
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
