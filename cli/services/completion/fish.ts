/** Generates the completion script for fish. */
import type { CommandNode, OptionNode, Values } from "./tree.js";

export function fishScript(nodes: readonly CommandNode[]): string {
  const paths = nodes.map(({ path }) => path).filter(Boolean);
  const valued = nodes.flatMap(({ path, options }) =>
    options.filter(({ value }) => value).flatMap(({ names }) => names.map((name) => `${path} ${name}`)),
  );
  return `# fish completion of wireroom; to enable it, run: wireroom completion fish | source

# Succeeds if the command typed so far has this path.
function __wireroom_at
    set -l at ""
    set -l pending ""
    set -l typed (commandline -opc)
    set -e typed[1]
    for word in $typed
        if test -n "$pending"
            set pending ""
        else if string match -q -- "-*" $word
            if contains -- "$at $word" ${valued.map(quoted).join(" ")}
                set pending $word
            end
        else if contains -- "$at/$word" ${paths.map(quoted).join(" ")}
            set at "$at/$word"
        end
    end
    test "$at" = "$argv[1]"
end

# Prints the names that are stored on this machine.
function __wireroom_names
    set -l typed (commandline -opc)
    set -l program $typed[1]
    set -e typed[1]
    set -l at ""
    if string match -q -- "@*" (commandline -ct)
        set at "@"
    end
    for name in ($program __complete $argv[1] $typed 2>/dev/null)
        echo "$at$name"
    end
end

complete -c wireroom -f
${nodes.flatMap(linesOf).join("\n")}
`;
}

function linesOf({ path, commands, options, argument }: CommandNode): string[] {
  const start = `complete -c wireroom -n ${quoted(`__wireroom_at ${quoted(path)}`)}`;
  return [
    ...commands.map(({ name, description }) => `${start} -a ${quoted(name)} -d ${quoted(description)}`),
    ...options.map((option) => `${start} ${optionPart(option)}`),
    ...(argument && commands.length === 0 ? argumentPart(argument).map((part) => `${start} ${part}`) : []),
  ];
}

function optionPart({ names, description, value }: OptionNode): string {
  const flags = names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  return [...flags, ...(value ? valuePart(value) : []), `-d ${quoted(description)}`].join(" ");
}

function valuePart(values: Values): string[] {
  if (values.is === "words") return [`-x -a ${quoted(values.words.join(" "))}`];
  if (values.is === "names") return [`-x -a ${quoted(`(__wireroom_names ${values.kind})`)}`];
  return values.is === "file" ? ["-r -F"] : ["-x"];
}

function argumentPart(values: Values): string[] {
  if (values.is === "words") return [`-a ${quoted(values.words.join(" "))}`];
  if (values.is === "names") return [`-a ${quoted(`(__wireroom_names ${values.kind})`)}`];
  return values.is === "file" ? ["-F"] : [];
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
