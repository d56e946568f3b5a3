/** Reads the JSON that a host passes to a hook on standard input. */

/** Events whose hooks add context for the model: Claude Code, Codex, and `BeforeAgent` in Gemini CLI. */
export const CONTEXT_EVENTS = ["SessionStart", "UserPromptSubmit", "BeforeAgent"];
/** Events at the end of a turn: `Stop` in Claude Code and Codex, `AfterAgent` in Gemini CLI. */
export const STOP_EVENTS = ["Stop", "AfterAgent"];
/** The end of a session in Claude Code. */
export const END_EVENT = "SessionEnd";

/** Maximum wait for input. Hosts close standard input at once, but other programs may leave it open. */
const INPUT_TIMEOUT_MS = 500;

export interface HookInput {
  /** Undefined if no host started the command. */
  event?: string;
  session?: string;
  host?: "codex";
  /** False only if the host reports that no hook has made the agent continue in this turn. */
  isContinued: boolean;
}

export async function hookInput(stdin: NodeJS.ReadStream): Promise<HookInput> {
  const { hook_event_name, session_id, stop_hook_active, turn_id } = stdin.isTTY
    ? {}
    : parsed(await textOf(stdin));
  return {
    ...(typeof hook_event_name === "string" && { event: hook_event_name }),
    ...(typeof session_id === "string" && { session: session_id }),
    // Only Codex names the turn.
    ...(typeof turn_id === "string" && { host: "codex" as const }),
    isContinued: stop_hook_active !== false,
  };
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function textOf(stdin: NodeJS.ReadStream): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const end = () => {
      clearTimeout(timer);
      // Close the input, because an open input would keep the process alive.
      stdin.destroy();
      resolve(Buffer.concat(chunks).toString());
    };
    const timer = setTimeout(end, INPUT_TIMEOUT_MS);
    stdin.on("data", (chunk: Buffer) => chunks.push(chunk));
    stdin.once("end", end);
    stdin.once("error", end);
  });
}
