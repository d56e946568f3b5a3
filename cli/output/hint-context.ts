/**
 * Adds a command's `--profile`, `--url` and `--as` to the commands that its hints suggest: after `wireroom
 * --profile work send …`, the hint `wireroom inbox` becomes `wireroom --profile work inbox`.
 */
import { shellQuoted } from "./shell-quote.js";

export interface ContextFlags {
  profile?: string | undefined;
  url?: string | undefined;
  as?: string | undefined;
}

// `program.ts` does not compile if a command is missing from all of these lists.

/** Commands for the daemon on this machine, which ignore `--url` and `--as`. */
const LOCAL = "init demo up down status logs daemon doctor backup restore store operator completion version";
/** Commands that authenticate with the human's ID token, which refuse `--as`. */
const HUMAN =
  "signup login logout password handle key connection egress approval audit export account console";
/** Commands that act as a handle. */
const AGENT =
  "whoami dashboard send reply inbox watch hook sent thread wire vote unvote space search schema knock contact block profile limits call mcp";

export type Words<Text extends string> = Text extends `${infer Word} ${infer Rest}`
  ? Word | Words<Rest>
  : Text;
export type CommandName = Words<typeof LOCAL> | Words<typeof HUMAN> | Words<typeof AGENT>;

const OPERATOR = "status handles show-handle wires show-wire remove-wire suspend restore".split(" ");
const LOCAL_NAMES = LOCAL.split(" ");
const AS_HANDLE = [...AGENT.split(" "), ...OPERATOR.map((command) => `operator ${command}`)];

// `operator suspend` comes before `operator`, because the first alternative that matches wins.
const COMMAND = new RegExp(
  `\\bwireroom (?=(${[...AS_HANDLE, ...LOCAL_NAMES, ...HUMAN.split(" ")].join("|")})\\b)`,
  "g",
);

export function isHumanCommand(command: string): boolean {
  return HUMAN.split(" ").includes(command);
}

export function withContext(hint: string, flags: ContextFlags): string {
  return hint.replace(COMMAND, (_, command: string) => `wireroom ${flagsFor(command, flags)}`);
}

function flagsFor(command: string, { profile, url, as }: ContextFlags): string {
  const isLocal = LOCAL_NAMES.includes(command);
  const parts = [
    profile !== undefined && `--profile ${shellQuoted(profile)} `,
    url !== undefined && !isLocal && `--url ${shellQuoted(url)} `,
    as !== undefined && AS_HANDLE.includes(command) && `--as ${shellQuoted(as)} `,
  ];
  return parts.filter((flag) => flag !== false).join("");
}
