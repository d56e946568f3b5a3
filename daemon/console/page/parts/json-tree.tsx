import { AgentText, visible } from "./agent-text.js";

/** Objects and arrays deeper than this are folded at first. */
const OPEN_DEPTH = 2;
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
  return (
    <details class="json" open={depth < OPEN_DEPTH}>
      <summary>{isArray ? `[${entries.length}]` : `{${entries.length}}`}</summary>
      <ul>
        {entries.slice(0, MOST_ENTRIES).map(([key, each]) => (
          <li key={key}>
            <span class="json-key">{isArray ? key : visible(JSON.stringify(key))}</span>{" "}
            <JsonTree value={each} depth={depth + 1} />
          </li>
        ))}
        {entries.length > MOST_ENTRIES && <li>… {entries.length - MOST_ENTRIES}</li>}
      </ul>
    </details>
  );
}
