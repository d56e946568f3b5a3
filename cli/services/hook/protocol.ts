/** Reads the JSON that a host passes to a hook on standard input. */
import { jsonObject } from "../../json-object.js";
import type { ProcessIO } from "../../process-io.js";

/** Events whose hooks add context for the model. Gemini CLI calls such an event `BeforeAgent`. */
export const CONTEXT_EVENTS = ["SessionStart", "UserPromptSubmit", "BeforeAgent"];
/** Events at the end of a turn. Gemini CLI calls such an event `AfterAgent`. */
export const STOP_EVENTS = ["Stop", "AfterAgent"];
/** The end of a session in Claude Code and Copilot CLI. */
export const END_EVENT = "SessionEnd";

/** Maximum wait for input. Hosts close standard input at once, but other programs may leave it open. */
const INPUT_TIMEOUT_MS = 500;

export type HookingHost = "codex" | "copilot" | "kimi";

export interface HookInput {
  /** Undefined if no host started the command. */
  event?: string;
  session?: string;
  /** Undefined for other hosts, which all share one output format. */
  host?: HookingHost;
  /** False only if the host reports that no hook has made the agent continue in this turn. */
  isContinued: boolean;
}

export async function hookInput({ stdin, env }: Pick<ProcessIO, "stdin" | "env">): Promise<HookInput> {
  const input = stdin.isTTY ? {} : jsonObject(await textOf(stdin));
  const { hook_event_name, session_id, stop_hook_active } = input;
  const host = hostOf(input, env);
  return {
    ...(typeof hook_event_name === "string" && { event: hook_event_name }),
    ...(typeof session_id === "string" && { session: session_id }),
    ...(host && { host }),
    isContinued: stop_hook_active !== false,
  };
}

function hostOf({ turn_id, client_type, transcript_path }: Record<string, unknown>, env: NodeJS.ProcessEnv) {
  // Only Codex sends `turn_id`.
  if (typeof turn_id === "string") return "codex";
  if (client_type === "kimi_code_cli") return "kimi";
  // A host that Copilot CLI has started inherits its variable, but sends `transcript_path` at every event.
  return env.COPILOT_CLI === "1" && transcript_path === undefined ? "copilot" : undefined;
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
