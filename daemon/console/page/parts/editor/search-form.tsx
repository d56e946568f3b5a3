import { useState } from "preact/hooks";
import { query, setQuery } from "../../app/router.js";

/** The URL stores the search words as `?q=`. */
export function SearchForm({ label }: { label: string }) {
  const [words, setWords] = useState(query.value.get("q") ?? "");
  return (
    <search>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          setQuery("q", words);
        }}
      >
        <input
          type="search"
          class="grow"
          aria-label={label}
          placeholder={label}
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
        <button type="submit">Search</button>
      </form>
    </search>
  );
}
