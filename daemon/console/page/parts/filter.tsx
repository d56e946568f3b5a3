import type { ComponentChildren } from "preact";

interface FilterProps {
  label?: string;
  words: string;
  onWords: (words: string) => void;
  children?: ComponentChildren;
}

/** A field that filters a list by words, with the list's other filters beside it. */
export function Filter({ label = "Filter by text", words, onWords, children }: FilterProps) {
  return (
    <search class="filters">
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={words}
        onInput={({ currentTarget }) => onWords(currentTarget.value)}
      />
      {children}
    </search>
  );
}

/** Returns whether a text contains the words that the human filters by. */
export function contains(text: string, words: string): boolean {
  return text.toLowerCase().includes(words.trim().toLowerCase());
}
