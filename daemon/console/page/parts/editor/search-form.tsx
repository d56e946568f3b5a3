import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { query, setQuery } from "../../app/router.js";

interface SearchFormProps {
  label: string;
  run?: (words: string) => void;
  children?: ComponentChildren;
}

/** The URL stores the search words as `?q=`. */
export function SearchForm({ label, run = (words) => setQuery("q", words), children }: SearchFormProps) {
  const [words, setWords] = useState(query.value.get("q") ?? "");
  return (
    <search>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          run(words.trim());
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
        {children}
      </form>
    </search>
  );
}
