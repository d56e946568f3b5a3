import { useState } from "preact/hooks";
import { AgentText, visible } from "./agent-text.js";

/** Objects and arrays below this depth, or with more entries than `OPEN_ENTRIES`, start collapsed. */
const OPEN_DEPTH = 2;
const OPEN_ENTRIES = 50;
const MOST_ENTRIES = 500;

/** @param depth the value's depth; a greater depth expands fewer levels */
export function JsonTree({ value, depth = 0 }: { value: unknown; depth?: number }) {
  return (
    <div class="json">
      <Node value={value} depth={depth} />
    </div>
  );
}

interface NodeProps {
  name?: string;
  value: unknown;
  depth: number;
}

/** The entries are rendered when the node is first expanded, because there may be many. */
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
