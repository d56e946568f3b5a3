import { Argument, type Command } from "commander";
import { exitOnOutputError, processIOOf } from "../../process-io.js";
import { completionScript, SHELLS } from "../../services/completion.js";
import { HEADINGS } from "../headings.js";

export function add(program: Command): void {
  program
    .command("completion")
    .helpGroup(HEADINGS.more)
    .description("print a shell completion script")
    .addArgument(new Argument("<shell>", "shell to print the script for").choices(Object.keys(SHELLS)))
    .addHelpText(
      "after",
      `
For zsh, the line must come after compinit in ~/.zshrc.

Examples:
  $ echo 'eval "$(wireroom completion bash)"' >> ~/.bashrc
  $ echo 'source <(wireroom completion zsh)' >> ~/.zshrc
  $ wireroom completion fish > ~/.config/fish/completions/wireroom.fish
  $ wireroom completion powershell >> $PROFILE`,
    )
    .action(async (shell: keyof typeof SHELLS) => {
      const io = processIOOf(program);
      exitOnOutputError(io);
      io.stdout.write(await completionScript(shell));
    });
}
