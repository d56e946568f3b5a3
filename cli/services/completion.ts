/**
 * Completes command lines in shells. The scripts of @pnpm/tabtab run `wireroom completion-server` each time
 * the user presses Tab, so this module reads only the commands and local files.
 */
import type { Argument, Command, Option } from "commander";
import { readPackageFile } from "../package-file.js";
import { exitOnOutputError, type ProcessIO } from "../process-io.js";
import { DEFAULT_PROFILE, profileFile, profileNames } from "../profiles/folder.js";
import { readProfile } from "../profiles/profile.js";

/** Supported shells and the extensions of their scripts, which the build takes from @pnpm/tabtab. */
export const SHELLS = { bash: "bash", zsh: "zsh", fish: "fish", powershell: "ps1" } as const;

export async function completionScript(shell: keyof typeof SHELLS): Promise<string> {
  const template = await readPackageFile(`dist/data/completion.${SHELLS[shell]}`);
  return template.replaceAll(/\{(pkgname|completer)\}/g, "wireroom");
}

/** A command line up to the cursor. */
export interface TypedLine {
  /** Words after the program's name, without the last word. */
  words: string[];
  last: string;
}

export function typedLine({ COMP_LINE = "", COMP_POINT }: NodeJS.ProcessEnv): TypedLine {
  const [, ...words] = COMP_LINE.slice(0, Number(COMP_POINT ?? COMP_LINE.length))
    .trimStart()
    .split(/\s+/);
  return { last: words.pop() ?? "", words };
}

export async function printCandidates(
  program: Command,
  { words, last }: TypedLine,
  { env, stdout, stderr }: ProcessIO,
): Promise<void> {
  exitOnOutputError({ stdout, stderr });
  const shell = /\w+$/.exec(env.SHELL ?? "")?.[0];
  const candidates = await candidatesFor(program, words, last, env);
  if (candidates === "files") {
    // Bash and PowerShell complete file names themselves if there are no candidates.
    if (shell === "zsh" || shell === "fish") stdout.write("__tabtab_complete_files__\n");
    return;
  }
  const at = last.startsWith("@") ? "@" : "";
  for (const { name, description = "", isHandle } of candidates) {
    const shown = isHandle ? `${at}${name}` : name;
    if (!shown.startsWith(last)) continue;
    if (shell === "bash" || description === "") stdout.write(`${shown}\n`);
    else if (shell === "zsh") stdout.write(`${shown.replaceAll(":", "\\:")}:${description}\n`);
    else stdout.write(`${shown}\t${description}\n`);
  }
}

interface Candidate {
  name: string;
  description?: string;
  isHandle?: boolean;
}

async function candidatesFor(
  program: Command,
  words: readonly string[],
  last: string,
  env: NodeJS.ProcessEnv,
): Promise<Candidate[] | "files"> {
  const help = program.createHelp();
  let command = program;
  let pending: Option | undefined;
  const options = () => [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
  for (const word of words) {
    if (pending !== undefined) pending = undefined;
    // Only a required value is a separate word. An optional value is attached, as in --json=id,uri.
    else if (word.startsWith("-"))
      pending = options().find(({ short, long, required }) => required && [short, long].includes(word));
    else command = command.commands.find((each) => namesOf(each).includes(word)) ?? command;
  }
  if (pending !== undefined) return valuesOf(pending, words, env);
  if (last.startsWith("-"))
    return options().flatMap(({ short, long, description }) =>
      [short, long].flatMap((name) => (name === undefined ? [] : [{ name, description }])),
    );
  const children = help.visibleCommands(command);
  if (children.length > 0)
    return children.flatMap((child) =>
      namesOf(child).map((name) => ({ name, description: child.description() })),
    );
  const values = await Promise.all(command.registeredArguments.map((each) => valuesOf(each, words, env)));
  return values.find((each) => each.length > 0) ?? [];
}

function namesOf(command: Command): string[] {
  return [command.name(), ...command.aliases()];
}

async function valuesOf(
  described: Argument | Option,
  words: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Candidate[] | "files"> {
  if (described.argChoices) return described.argChoices.map((name) => ({ name }));
  const name = "flags" in described ? placeholderOf(described) : described.name();
  if (/^(file|folder|path)$/i.test(name)) return "files";
  if (name === "profile") return known(profileNames(env), false);
  return /^(handle|to|targets?)$/.test(name) ? known(handlesOf(profileIn(words, env), env), true) : [];
}

function placeholderOf({ long, flags }: Option): string {
  return long === "--profile" ? "profile" : (/[<[](\w+)/.exec(flags)?.[1] ?? "");
}

/** Matches names that are safe in a shell, which expands a completed word and could run commands. */
const SAFE = /^\w[\w.-]*$/;

/** Ignores an unreadable profile, because the command itself reports it. */
async function known(names: Promise<string[]>, isHandle: boolean): Promise<Candidate[]> {
  const safe = (await names.catch(() => [])).filter((name) => SAFE.test(name));
  return safe.map((name) => ({ name, isHandle }));
}

function profileIn(words: readonly string[], env: NodeJS.ProcessEnv): string {
  const at = words.lastIndexOf("--profile");
  const attached = words.findLast((word) => word.startsWith("--profile="))?.slice("--profile=".length);
  return (at < 0 ? attached : words[at + 1]) || env.WIREROOM_PROFILE || DEFAULT_PROFILE;
}

async function handlesOf(profile: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const { handle, keys = {} } = await readProfile(profileFile(profile, env));
  return [...new Set([...(handle === undefined ? [] : [handle]), ...Object.keys(keys)])].sort();
}
