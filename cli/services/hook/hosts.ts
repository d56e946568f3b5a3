/** Hosts whose hooks can run `wireroom hook`. A link above each host names the source of its format. */
import { join } from "node:path";
import type { HostId } from "../../../src/mcp-hosts/entries.js";
import { HOSTS, type Host } from "../mcp-hosts/hosts.js";

export const HOOK_HOST_IDS = [
  "claude-code",
  "codex",
  "gemini",
  "copilot",
  "kimi",
  "opencode",
] as const satisfies readonly HostId[];
export type HookHostId = (typeof HOOK_HOST_IDS)[number];

interface Hook {
  /** Name of the file in the host's folder. A TOML file has a table `hooks` for each event and command. */
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
  /** Says what the human must still do. */
  next: string;
}

const TIMEOUT_S = 5;

const events = ["SessionStart", "UserPromptSubmit", "Stop"];
const handler = (command: string) => ({ type: "command", command, timeout: TIMEOUT_S });

/**
 * The time is long, because Claude Code ends the background hook after this time, and no other hook waits
 * until the next turn ends.
 */
const WAIT_TIMEOUT_S = 7 * 86_400;

const HOOKS: Readonly<Record<Exclude<HookHostId, "opencode">, Hook>> = {
  // https://code.claude.com/docs/en/hooks
  "claude-code": {
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
  codex: {
    file: "hooks.json",
    projectFile: join(".codex", "hooks.json"),
    events,
    handler,
    next: "Codex runs a hook only after you have trusted it: in Codex, run /hooks.",
  },
  // https://geminicli.com/docs/hooks/reference
  gemini: {
    file: "settings.json",
    projectFile: join(".gemini", "settings.json"),
    events: ["SessionStart", "BeforeAgent", "AfterAgent"],
    handler: (command) => ({ name: "wireroom", type: "command", command, timeout: TIMEOUT_S * 1_000 }),
    next: "Restart Gemini CLI; /hooks panel shows the hook.",
  },
  // https://docs.github.com/en/copilot/reference/hooks-reference
  copilot: {
    file: "settings.json",
    projectFile: join(".github", "copilot", "settings.json"),
    events,
    handler,
    next: "Restart Copilot CLI; /env shows the hook.",
  },
  // https://moonshotai.github.io/kimi-code/en/customization/hooks.html
  kimi: {
    file: "config.toml",
    // Omits the start of a session, because Kimi Code ignores the output of that hook.
    events: ["UserPromptSubmit", "Stop"],
    handler: (command) => ({ command, timeout: TIMEOUT_S }),
    next: "Restart Kimi Code CLI.",
  },
};

export interface HookHost extends Hook, Pick<Host, "title" | "folder"> {
  id: keyof typeof HOOKS;
}

export const HOOK_HOSTS = Object.entries(HOOKS).map(([id, hook]): HookHost => {
  const { title, folder } = HOSTS.find((host) => host.id === id)!;
  return { id: id as HookHost["id"], title, folder, ...hook };
});
