/** Shows a JSON value as a tree. Lists of equal objects are tables. */
import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { AgentText, visible } from "./agent-text.js";
import { Button, Copy } from "./button.js";

/** Objects and arrays below this depth, or with more entries than `OPEN_ENTRIES`, start collapsed. */
const OPEN_DEPTH = 2;
const OPEN_ENTRIES = 50;
const MOST_ENTRIES = 500;
const MOST_COLUMNS = 12;
const PREVIEW_ENTRIES = 6;
const PREVIEW_CHARACTERS = 100;

/** Whether values are expanded that have buttons. The human chooses it for all of them at once. */
const areExpanded = signal(false);
export function toggleExpanded(): void {
  areExpanded.value = !areExpanded.value;
}

/**
 * @param depth the value's depth; a greater depth expands fewer levels. At a depth of at most 0, buttons show
 * the value in other forms.
 */
export function JsonTree({ value, depth = 0 }: { value: unknown; depth?: number }) {
  const [isRaw, setRaw] = useState(false);
  const hasButtons = depth <= 0 && isNested(value);
  const isExpanded = hasButtons && areExpanded.value;
  const text = () => JSON.stringify(value, null, 2);
  return (
    <div class="json">
      {hasButtons && (
        <p class="row">
          {!isRaw && (
            <Button kind="link" onClick={toggleExpanded}>
              {isExpanded ? "Collapse" : "Expand all"}
            </Button>
          )}
          <Button kind="link" onClick={() => setRaw(!isRaw)}>
            {isRaw ? "Show as a tree" : "Raw"}
          </Button>
          <Copy kind="link" text={text} what="the JSON" />
        </p>
      )}
      {isRaw ? (
        <pre>
          <AgentText text={text()} />
        </pre>
      ) : (
        <Node key={isExpanded} value={value} depth={isExpanded ? Number.NEGATIVE_INFINITY : depth} />
      )}
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
  const entries = isNested(value) ? Object.entries(value) : [];
  const isSmall = entries.length <= OPEN_ENTRIES || depth === Number.NEGATIVE_INFINITY;
  const [isOpen, setOpen] = useState(depth < OPEN_DEPTH && isSmall);
  const key = name !== undefined && <span class="json-key">{visible(name)}: </span>;
  if (entries.length === 0)
    return (
      <>
        {key}
        <AgentText text={JSON.stringify(value)} />
      </>
    );
  const isArray = Array.isArray(value);
  const columns = isArray ? columnsOf(value) : undefined;
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {key}
        {isArray ? `[${entries.length}]` : isOpen && `{${entries.length}}`}
        {!isOpen && ` ${previewOf(value)}`}
      </summary>
      {isOpen && columns && <Table name={name} rows={value as Row[]} columns={columns} />}
      {isOpen && !columns && (
        <ul>
          {entries.slice(0, MOST_ENTRIES).map(([each, inner]) => (
            <li key={each}>
              <Node name={isArray ? each : JSON.stringify(each)} value={inner} depth={depth + 1} />
            </li>
          ))}
        </ul>
      )}
      {isOpen && entries.length > MOST_ENTRIES && <p>… {entries.length - MOST_ENTRIES}</p>}
    </details>
  );
}

function isNested(value: unknown): value is object {
  return value !== null && typeof value === "object";
}

/** Returns the first entries of a value. */
export function previewOf(value: unknown): string {
  if (!isNested(value)) return visible(JSON.stringify(value));
  const isArray = Array.isArray(value);
  const all = Object.entries(value);
  const parts = all.slice(0, PREVIEW_ENTRIES).map(([key, inner]) => {
    const text = isNested(inner) ? (Array.isArray(inner) ? "[…]" : "{…}") : JSON.stringify(inner);
    return isArray ? text : `${key}: ${text}`;
  });
  if (all.length > PREVIEW_ENTRIES) parts.push("…");
  const text = visible(parts.join(", "));
  const short = text.length > PREVIEW_CHARACTERS ? `${text.slice(0, PREVIEW_CHARACTERS)}…` : text;
  return isArray ? short : `{ ${short} }`;
}

type Row = Readonly<Record<string, unknown>>;

/** Returns the keys of a list of flat objects that all have the same keys; otherwise undefined. */
function columnsOf(list: readonly unknown[]): readonly string[] | undefined {
  const [first] = list;
  if (list.length < 2 || !isNested(first) || Array.isArray(first)) return undefined;
  const columns = Object.keys(first);
  if (columns.length === 0 || columns.length > MOST_COLUMNS) return undefined;
  const isRow = (each: unknown) =>
    isNested(each) &&
    Object.keys(each).length === columns.length &&
    columns.every((column) => Object.hasOwn(each, column) && !isNested((each as Row)[column]));
  return list.every(isRow) ? columns : undefined;
}

/** Numbers are aligned at their end, as are their headers. */
const typeOf = (value: unknown) => (typeof value === "number" ? "number" : undefined);

interface TableProps {
  name?: string | undefined;
  rows: readonly Row[];
  columns: readonly string[];
}

function Table({ name = "Table", rows, columns }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section class="table" tabIndex={0} aria-label={visible(name)}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" class={typeOf(rows[0]![column])}>
                {visible(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST_ENTRIES).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows do not move
            <tr key={index}>
              {columns.map((column) => (
                <td key={column} class={typeOf(row[column])}>
                  <AgentText
                    text={typeof row[column] === "string" ? row[column] : JSON.stringify(row[column])}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
