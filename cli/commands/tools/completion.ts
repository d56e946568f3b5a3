import { Argument, type Command } from "commander";
import { surroundingsOf } from "../../surroundings.js";
import { HEADINGS } from "../headings.js";

const SHELLS = ["bash", "zsh", "fish"] as const;

/** `wireroom completion`: a script that makes a shell complete commands, options and their values. */
export function addCompletionCommand(program: Command): void {
  program
    .command("completion")
    .helpGroup(HEADINGS.more)
    .description("print the script that makes a shell complete wireroom's commands and options")
    .addArgument(new Argument("<shell>", "the shell").choices(SHELLS))
    .addHelpText(
      "after",
      `
Examples:
  $ echo 'eval "$(wireroom completion bash)"' >> ~/.bashrc
  $ echo 'source <(wireroom completion zsh)' >> ~/.zshrc      (below compinit)
  $ wireroom completion fish > ~/.config/fish/completions/wireroom.fish`,
    )
    .action(async (shell: (typeof SHELLS)[number]) => {
      const { completionScript } = await import("../../work/completion/index.js");
      surroundingsOf(program).stdout.write(completionScript(shell, program));
    });
}
