/** Generates the completion script for zsh. */
import type { CommandNode, OptionNode, Values } from "./tree.js";

export function zshScript(nodes: readonly CommandNode[]): string {
  return `#compdef wireroom
# zsh completion of wireroom; to enable it, run: source <(wireroom completion zsh)

_wireroom() {
  local at="" word pending="" i
  local -a candidates
  for ((i = 2; i < CURRENT; i++)); do
    word="\${words[i]}"
    if [[ -n "$pending" ]]; then
      pending=""
    elif [[ "$word" == -* ]]; then
      if __wireroom_takes_value "$at $word"; then pending="$word"; fi
    elif __wireroom_is_command "$at/$word"; then
      at="$at/$word"
    fi
  done
  if [[ -n "$pending" ]]; then
    __wireroom_values "$at $pending"
  elif [[ "\${words[CURRENT]}" == -* ]]; then
    __wireroom_options "$at"
  else
    __wireroom_arguments "$at"
  fi
}

__wireroom_is_command() {
  case "$1" in
    ${patterns(nodes.map(({ path }) => path).filter(Boolean))}) return 0 ;;
  esac
  return 1
}

__wireroom_takes_value() {
  case "$1" in
    ${patterns(nodes.flatMap((node) => valued(node).flatMap(({ names }) => names.map((name) => `${node.path} ${name}`))))}) return 0 ;;
  esac
  return 1
}

# Offers the names that are stored on this machine.
__wireroom_names() {
  local -a known
  known=(\${(f)"$("\${words[1]}" __complete "$1" "\${(@)words[2,CURRENT-1]}" 2>/dev/null)"})
  compset -P '@'
  compadd -- $known
}

__wireroom_values() {
  case "$1" in
${nodes
  .flatMap((node) =>
    valued(node).map(({ names, value }) =>
      branch(
        names.map((name) => `${node.path} ${name}`),
        offer(value!),
      ),
    ),
  )
  .join("\n")}
  esac
}

__wireroom_options() {
  case "$1" in
${nodes
  .map(({ path, options }) =>
    branch(
      [path],
      describe(
        "option",
        options.flatMap(({ names, description }) => names.map((name) => [name, description] as const)),
      ),
    ),
  )
  .join("\n")}
  esac
}

__wireroom_arguments() {
  case "$1" in
${nodes.map((node) => branch([node.path], argumentsOf(node))).join("\n")}
  esac
}

compdef _wireroom wireroom
`;
}

function valued({ options }: CommandNode): OptionNode[] {
  return options.filter(({ value }) => value !== undefined);
}

function argumentsOf({ commands, argument }: CommandNode): string {
  if (commands.length > 0)
    return describe(
      "command",
      commands.map(({ name, description }) => [name, description] as const),
    );
  return argument ? offer(argument) : "return 1";
}

function offer(values: Values): string {
  if (values.is === "words") return `compadd -- ${values.words.map(quoted).join(" ")}`;
  if (values.is === "names") return `__wireroom_names ${values.kind}`;
  return values.is === "file" ? "_files" : "return 1";
}

/**
 * Returns a call of zsh's `_describe`. Its entries are `name:description`, so colons in names are escaped.
 */
function describe(what: string, words: readonly (readonly [name: string, description: string])[]): string {
  const entries = words.map(([name, description]) => quoted(`${name.replaceAll(":", "\\:")}:${description}`));
  return `candidates=(${entries.join(" ")}); _describe ${what} candidates`;
}

function branch(words: readonly string[], body: string): string {
  return `    ${patterns(words)}) ${body} ;;`;
}

function patterns(words: readonly string[]): string {
  return words.map(quoted).join("|");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
