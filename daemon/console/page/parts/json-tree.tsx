import { useState } from "preact/hooks";
import { AgentText, visible } from "./agent-text.js";

/** Objects and arrays deeper than this, or with more entries, are folded at first. */
const OPEN_DEPTH = 2;
const OPEN_ENTRIES = 50;
/** A level shows this many entries; the rest is counted. */
const MOST_ENTRIES = 500;

/** A JSON value of an agent as a tree whose objects and arrays fold. */
export function JsonTree({ value, depth = 0 }: { value: unknown; depth?: number }) {
  if (typeof value === "string")
    return (
      <span class="json-string">
        <AgentText text={JSON.stringify(value)} />
      </span>
    );
  if (value === null || typeof value !== "object") return <span class="json-literal">{String(value)}</span>;
  const isArray = Array.isArray(value);
  const entries = Object.entries(value);
  if (entries.length === 0) return <span class="json-literal">{isArray ? "[]" : "{}"}</span>;
  return <Branch entries={entries} isArray={isArray} depth={depth} />;
}

/** An object or array with entries. They are rendered when it is first unfolded, as an agent may send very many. */
function Branch({
  entries,
  isArray,
  depth,
}: {
  entries: [string, unknown][];
  isArray: boolean;
  depth: number;
}) {
  const [isOpen, setOpen] = useState(depth < OPEN_DEPTH && entries.length <= OPEN_ENTRIES);
  return (
    <details class="json" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{isArray ? `[${entries.length}]` : `{${entries.length}}`}</summary>
      {isOpen && (
        <ul>
          {entries.slice(0, MOST_ENTRIES).map(([key, each]) => (
            <li key={key}>
              <span class="json-key">{isArray ? key : visible(JSON.stringify(key))}</span>{" "}
              <JsonTree value={each} depth={depth + 1} />
            </li>
          ))}
          {entries.length > MOST_ENTRIES && <li>… {entries.length - MOST_ENTRIES}</li>}
        </ul>
      )}
    </details>
  );
}
