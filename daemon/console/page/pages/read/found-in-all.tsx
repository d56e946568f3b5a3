import type { Wire as WireData } from "@wireroom/sdk";
import { useEffect, useState } from "preact/hooks";
import { setQuery } from "../../app/router.js";
import { Problem } from "../../parts/problem.js";
import { Wire } from "../../parts/wire.js";
import { MESSAGES, nameOf, searchIn } from "./places.js";

/** Maximum number of spaces to search. The page sends one search per space, one after the other. */
const MAX_SPACES = 20;
/** Maximum number of matches shown per place. */
const SHOWN = 5;

interface Group {
  place: string;
  wires: readonly WireData[];
  hasMore: boolean;
}

interface Search {
  /** Number of places that were searched. */
  searched: number;
  /** Places with matches. */
  groups: readonly Group[];
  error?: unknown;
}

/** Each place's matches appear as soon as they are found. */
export function FoundInAll({ as, spaces, words }: { as: string; spaces: readonly string[]; words: string }) {
  const [{ searched, groups, error }, setState] = useState<Search>({ searched: 0, groups: [] });
  const [round, setRound] = useState(0);
  const wanted = [MESSAGES, ...spaces.slice(0, MAX_SPACES)];
  // biome-ignore lint/correctness/useExhaustiveDependencies: another handle or search has another `key`
  useEffect(() => {
    const abort = new AbortController();
    setState({ searched: 0, groups: [] });
    const searchAll = async () => {
      for (const place of wanted) {
        const page = await searchIn(as, place, words, SHOWN, abort.signal);
        const group = { place, wires: page.items, hasMore: page.next_cursor !== null };
        setState((before) => ({
          searched: before.searched + 1,
          groups: page.items.length > 0 ? [...before.groups, group] : before.groups,
        }));
      }
    };
    searchAll().catch((error) => abort.signal.aborted || setState((before) => ({ ...before, error })));
    return () => abort.abort();
  }, [round]);
  const isDone = searched === wanted.length;
  return (
    <>
      {error !== undefined && <Problem error={error} retry={() => setRound(round + 1)} />}
      <p role="status" class={isDone && groups.length === 0 ? undefined : "hint"}>
        {!isDone
          ? `Searched ${searched} of ${wanted.length} places …`
          : groups.length === 0
            ? `Nothing in the direct messages and spaces of @${as} matches “${words}”. Try fewer words.`
            : `Found in ${groups.length} of ${searched} places.`}
        {isDone &&
          spaces.length > MAX_SPACES &&
          ` ${`Only the first ${MAX_SPACES} of ${spaces.length} spaces were searched. Choose one of the others to search it.`}`}
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
                <Wire wire={wire} as={as} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
