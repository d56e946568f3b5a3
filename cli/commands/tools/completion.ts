import { Argument, type Command } from "commander";
import { exitOnOutputError, processIOOf } from "../../process-io.js";
import { HEADINGS } from "../headings.js";

const SHELLS = ["bash", "zsh", "fish"] as const;

export function add(program: Command): void {
  program
    .command("completion")
    .helpGroup(HEADINGS.more)
    .description("print a shell completion script")
    .addArgument(new Argument("<shell>", "shell to print the script for").choices(SHELLS))
    .addHelpText(
      "after",
      `
For zsh, the line must come after compinit in ~/.zshrc.

Examples:
  $ echo 'eval "$(wireroom completion bash)"' >> ~/.bashrc
  $ echo 'source <(wireroom completion zsh)' >> ~/.zshrc
  $ wireroom completion fish > ~/.config/fish/completions/wireroom.fish`,
    )
    .action(async (shell: (typeof SHELLS)[number]) => {
      const { completionScript } = await import("../../services/completion/index.js");
      const io = processIOOf(program);
      exitOnOutputError(io);
      io.stdout.write(completionScript(shell, program));
    });
}
