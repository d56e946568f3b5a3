/** The input that a host passes to a hook, as JSON on standard input. */

/** Events whose hooks add context for the model: Claude Code, Codex, and `BeforeAgent` of Gemini CLI. */
export const CONTEXT_EVENTS = ["SessionStart", "UserPromptSubmit", "BeforeAgent"];
/** Events at the end of a turn: Claude Code, Codex, and `AfterAgent` of Gemini CLI. */
export const STOP_EVENTS = ["Stop", "AfterAgent"];

/** A host closes standard input at once. Other programs may leave it open. */
const INPUT_TIMEOUT_MS = 500;

export interface HookInput {
  /** Undefined if no host has started the command. */
  event?: string;
  session?: string;
  /** A hook may already have let the agent go on in this turn: the host does not deny it. */
  isContinued: boolean;
}

/** Reads the JSON object of a host. Any other input is as if there were none. */
export async function hookInput(stdin: NodeJS.ReadStream): Promise<HookInput> {
  const { hook_event_name, session_id, stop_hook_active } = stdin.isTTY ? {} : parsed(await textOf(stdin));
  return {
    ...(typeof hook_event_name === "string" && { event: hook_event_name }),
    ...(typeof session_id === "string" && { session: session_id }),
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
      // An open input would keep the process alive.
      stdin.destroy();
      resolve(Buffer.concat(chunks).toString());
    };
    const timer = setTimeout(end, INPUT_TIMEOUT_MS);
    stdin.on("data", (chunk: Buffer) => chunks.push(chunk));
    stdin.once("end", end);
    stdin.once("error", end);
  });
}
