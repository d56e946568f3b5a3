/** Generates the completion script for bash 3.2 and newer. */
import type { CommandNode, Values } from "./tree.js";

export function bashScript(nodes: readonly CommandNode[]): string {
  return `# bash completion of wireroom; to enable it, run: eval "$(wireroom completion bash)"

# Succeeds if the path is a command.
__wireroom_is_command() {
  case "$1" in
${cases([[nodes.map(({ path }) => path).filter(Boolean), "return 0"]])}
  esac
  return 1
}

# Sets "takes" to the kind of value of an option: words, names, file or free; empty if the option has no value.
__wireroom_value_of() {
  takes="" words=""
  case "$1" in
${cases(
  nodes.flatMap(({ path, options }) =>
    options.flatMap(({ names, value }) =>
      value ? [[names.map((name) => `${path} ${name}`), setValues(value)] as const] : [],
    ),
  ),
)}
  esac
}

# Sets the subcommands, options and argument values of a command.
__wireroom_parts_of() {
  commands="" options="" takes="" words=""
  case "$1" in
${cases(nodes.map((node) => [[`${node.path} `], setParts(node)] as const))}
  esac
}

_wireroom() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" pending="" word i takes words commands options
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    # Bash splits @alice into two words.
    if [[ "$word" == "@" ]]; then continue; fi
    if [[ -n "$pending" ]]; then
      pending=""
    elif [[ "$word" == -* ]]; then
      __wireroom_value_of "$path $word"
      if [[ -n "$takes" ]]; then pending="$word"; fi
    elif __wireroom_is_command "$path/$word"; then
      path="$path/$word"
    fi
  done
  if [[ -n "$pending" ]]; then
    __wireroom_value_of "$path $pending"
  else
    __wireroom_parts_of "$path "
    if [[ "$current" == -* ]]; then
      COMPREPLY=($(compgen -W "$options" -- "$current"))
      return
    elif [[ -n "$commands" ]]; then
      COMPREPLY=($(compgen -W "$commands" -- "$current"))
      return
    fi
  fi
  case "$takes" in
    words) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    names)
      # The second argument is the text that bash replaces. It contains the @.
      local typed="\${2-$current}" at=""
      if [[ "$typed" == @* ]]; then at="@"; fi
      words="$("\${COMP_WORDS[0]}" __complete "$words" "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)"
      COMPREPLY=($(compgen -P "$at" -W "$words" -- "\${typed#@}"))
      ;;
    file) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
}
complete -F _wireroom wireroom
`;
}

function cases(branches: readonly (readonly [patterns: readonly string[], body: string])[]): string {
  return branches
    .filter(([patterns]) => patterns.length > 0)
    .map(([patterns, body]) => `    ${patterns.map((pattern) => `"${pattern}"`).join("|")}) ${body} ;;`)
    .join("\n");
}

function setValues(values: Values): string {
  if (values.is === "words") return `takes=words words="${values.words.join(" ")}"`;
  return values.is === "names" ? `takes=names words=${values.kind}` : `takes=${values.is}`;
}

function setParts({ commands, options, argument }: CommandNode): string {
  const names = options.flatMap((option) => option.names);
  const parts = [`options="${names.join(" ")}"`];
  if (commands.length > 0) parts.push(`commands="${commands.map(({ name }) => name).join(" ")}"`);
  if (argument) parts.push(setValues(argument));
  return parts.join(" ");
}
