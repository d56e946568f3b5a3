import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { query, setQuery } from "../../app/router.js";
import { Filter } from "../filter.js";

interface SearchFormProps {
  label: string;
  run?: (words: string) => void;
  children?: ComponentChildren;
}

/** The URL stores the search words as `?q=`. */
export function SearchForm({ label, run = (words) => setQuery("q", words), children }: SearchFormProps) {
  const [words, setWords] = useState(query.value.get("q") ?? "");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        run(words.trim());
      }}
    >
      <Filter label={label} words={words} onWords={setWords}>
        <button type="submit">Search</button>
        {children}
      </Filter>
    </form>
  );
}
