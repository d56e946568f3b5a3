import { completionScript, SHELLS } from "../../services/completion.js";
import { command } from "../command.js";

export const add = command<object, [keyof typeof SHELLS]>({
  name: "completion",
  description: "print a shell completion script",
  arguments: [
    { usage: "<shell>", description: "shell to print the script for", choices: Object.keys(SHELLS) },
  ],
  help: "For zsh, the line must come after compinit in ~/.zshrc.",
  examples: [
    `echo 'eval "$(wireroom completion bash)"' >> ~/.bashrc`,
    "echo 'source <(wireroom completion zsh)' >> ~/.zshrc",
    "wireroom completion fish > ~/.config/fish/completions/wireroom.fish",
    "wireroom completion powershell >> $PROFILE",
  ],
  run: async ({ output }, _flags, shell) => output.write(await completionScript(shell)),
});
