import type { Ref } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { dashboard } from "../../app/clients.js";
import { Button } from "../../parts/button.js";
import { Problem } from "../../parts/problem.js";

/** Lines are joined into blobs of this many lines, so that the browser can store a large export on disk. */
const LINES_PER_PART = 1_000;

type State =
  | { lines: number; stop: () => void }
  | { lines: number; url: string }
  | { error: unknown }
  | undefined;

/** Never offers an incomplete export. */
export function Export({ button }: { button: Ref<HTMLButtonElement> }) {
  const [state, setState] = useState<State>();
  const current = useRef(state);
  current.current = state;
  useEffect(() => () => release(current.current), []);
  const start = async () => {
    release(state);
    const abort = new AbortController();
    const stop = () => {
      abort.abort();
      setState(undefined);
    };
    setState({ lines: 0, stop });
    try {
      const { blob, lines } = await read(abort.signal, (count) => setState({ lines: count, stop }));
      setState({ lines, url: URL.createObjectURL(blob) });
    } catch (error) {
      if (!abort.signal.aborted) setState({ error });
    }
  };
  return (
    <section class="sheet">
      <h2>Export</h2>
      <p>
        Everything that your account owns, as a file of JSON lines: handles, wires, contacts, spaces and the
        audit log.
      </p>
      {state && "error" in state && <Problem error={state.error} />}
      {state && "stop" in state ? (
        <p class="row" role="status">
          {`${state.lines} lines so far …`}
          <Button onClick={state.stop}>Cancel</Button>
        </p>
      ) : (
        <Button onClick={start} element={button}>
          Export
        </Button>
      )}
      {state && "url" in state && (
        <p class="done">
          <a href={state.url} download="wireroom-export.jsonl">
            Save the file: {state.lines} lines
          </a>
        </p>
      )}
    </section>
  );
}

function release(state: State): void {
  if (!state) return;
  if ("url" in state) URL.revokeObjectURL(state.url);
  if ("stop" in state) state.stop();
}

async function read(signal: AbortSignal, onProgress: (lines: number) => void) {
  const parts: Blob[] = [];
  let part: string[] = [];
  let lines = 0;
  let isComplete = false;
  const operation = { id: "account.export", method: "GET", path: "/export" } as const;
  for await (const line of dashboard.lines<{ type: string; lines?: number }>(operation, {}, { signal })) {
    isComplete = line.type === "end" && line.lines === lines;
    part.push(`${JSON.stringify(line)}\n`);
    lines++;
    if (part.length === LINES_PER_PART) {
      parts.push(new Blob(part));
      part = [];
      onProgress(lines);
    }
  }
  if (!isComplete) throw new Error("The export ended early, so there is no file. Try again.");
  return { blob: new Blob([...parts, ...part], { type: "application/x-ndjson" }), lines };
}
