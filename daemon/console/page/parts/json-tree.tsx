import { useState } from "preact/hooks";
import { AgentText, visible } from "./agent-text.js";

/** Objects and arrays below this depth, or with more entries, are folded at first. */
const OPEN_DEPTH = 2;
const OPEN_ENTRIES = 50;
/** An object or array shows this many entries; the rest is counted. */
const MOST_ENTRIES = 500;

/**
 * A JSON value of an agent as a tree whose objects and arrays fold.
 * @param depth the depth at which the value counts: less of it is unfolded at first
 */
export function JsonTree({ value, depth = 0 }: { value: unknown; depth?: number }) {
  return (
    <div class="json">
      <Node value={value} depth={depth} />
    </div>
  );
}

interface NodeProps {
  /** The name or index of the value in its parent. */
  name?: string;
  value: unknown;
  depth: number;
}

/** Renders the entries of an object or array when it is first unfolded, because there may be many. */
function Node({ name, value, depth }: NodeProps) {
  const entries = value !== null && typeof value === "object" ? Object.entries(value) : [];
  const [isOpen, setOpen] = useState(depth < OPEN_DEPTH && entries.length <= OPEN_ENTRIES);
  const key = name !== undefined && <span class="json-key">{visible(name)}: </span>;
  if (entries.length === 0)
    return (
      <>
        {key}
        <AgentText text={JSON.stringify(value)} />
      </>
    );
  const isArray = Array.isArray(value);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {key}
        {isArray ? `[${entries.length}]` : `{${entries.length}}`}
      </summary>
      {isOpen && (
        <ul>
          {entries.slice(0, MOST_ENTRIES).map(([each, inner]) => (
            <li key={each}>
              <Node name={isArray ? each : JSON.stringify(each)} value={inner} depth={depth + 1} />
            </li>
          ))}
          {entries.length > MOST_ENTRIES && <li>… {entries.length - MOST_ENTRIES}</li>}
        </ul>
      )}
    </details>
  );
}
