/** Hosts whose hooks can run `wireroom hook`. A link above each host names the source of its format. */
import { join } from "node:path";
import type { HostId } from "../../../src/mcp-hosts/entries.js";
import {
  claudeFolder,
  codexFolder,
  copilotFolder,
  geminiFolder,
  kimiFolder,
  type Machine,
} from "../mcp-hosts/hosts.js";

export const HOOK_HOST_IDS = [
  "claude-code",
  "codex",
  "gemini",
  "copilot",
  "kimi",
  "opencode",
] as const satisfies readonly HostId[];
export type HookHostId = (typeof HOOK_HOST_IDS)[number];

export interface HookHost {
  id: Exclude<HookHostId, "opencode">;
  title: string;
  /** Folder with the user's configuration. It exists if the host is installed. */
  folder(machine: Machine): string;
  /** Name of the file in that folder. A TOML file has a table `hooks` for each event and command. */
  file: string;
  /** Relative to the project's folder. */
  projectFile?: string;
  /** The host's names for the events: session start, turn start and turn end. */
  events: readonly string[];
  handler(command: string): Record<string, unknown>;
  /** Undefined if no hook can wake a session of the host. */
  wake?: {
    /** A second handler for the end of a turn, which waits in the background. */
    handler(command: string): Record<string, unknown>;
    /** The host's name for the end of a session, at which the handler must end. */
    sessionEnd: string;
  };
  /** The step that remains for the human, in words. */
  next: string;
}

const TIMEOUT_S = 5;

const events = ["SessionStart", "UserPromptSubmit", "Stop"];
const handler = (command: string) => ({ type: "command", command, timeout: TIMEOUT_S });

/**
 * Long, because Claude Code ends the background hook after this time, and no other hook waits until the next
 * turn ends.
 */
const WAIT_TIMEOUT_S = 7 * 86_400;

export const HOOK_HOSTS: readonly HookHost[] = [
  // https://code.claude.com/docs/en/hooks
  {
    id: "claude-code",
    title: "Claude Code",
    folder: claudeFolder,
    file: "settings.json",
    projectFile: join(".claude", "settings.json"),
    events,
    handler,
    wake: {
      handler: (command) => ({
        type: "command",
        command,
        timeout: WAIT_TIMEOUT_S,
        asyncRewake: true,
        rewakeMessage: "The hook of Wireroom reports:",
        rewakeSummary: "Wireroom: new in the inbox",
      }),
      sessionEnd: "SessionEnd",
    },
    next: "It applies to sessions that start from now on; /hooks shows it.",
  },
  // https://developers.openai.com/codex/hooks
  {
    id: "codex",
    title: "Codex",
    folder: codexFolder,
    file: "hooks.json",
    projectFile: join(".codex", "hooks.json"),
    events,
    handler,
    next: "Codex runs a hook only after you have trusted it: in Codex, run /hooks.",
  },
  // https://geminicli.com/docs/hooks/reference
  {
    id: "gemini",
    title: "Gemini CLI",
    folder: geminiFolder,
    file: "settings.json",
    projectFile: join(".gemini", "settings.json"),
    events: ["SessionStart", "BeforeAgent", "AfterAgent"],
    handler: (command) => ({ name: "wireroom", type: "command", command, timeout: TIMEOUT_S * 1_000 }),
    next: "Restart Gemini CLI; /hooks panel shows the hook.",
  },
  // https://docs.github.com/en/copilot/reference/hooks-reference
  {
    id: "copilot",
    title: "Copilot CLI",
    folder: copilotFolder,
    file: "settings.json",
    projectFile: join(".github", "copilot", "settings.json"),
    events,
    handler,
    next: "Restart Copilot CLI; /env shows the hook.",
  },
  // https://moonshotai.github.io/kimi-code/en/customization/hooks.html
  {
    id: "kimi",
    title: "Kimi Code CLI",
    folder: kimiFolder,
    file: "config.toml",
    // Omits the start of a session, because Kimi Code ignores the output of that hook.
    events: ["UserPromptSubmit", "Stop"],
    handler: (command) => ({ command, timeout: TIMEOUT_S }),
    next: "Restart Kimi Code CLI.",
  },
];
