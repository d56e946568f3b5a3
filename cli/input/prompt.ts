/** Prompts on the terminal. Without a terminal, a prompt throws an error that recommends a flag instead. */
import { Failure } from "../failure.js";
import { TerminalReader } from "./terminal-reader.js";

export interface PromptSettings {
  isAvailable: boolean;
  yes: boolean;
  stdin: NodeJS.ReadStream;
  stderr: NodeJS.WriteStream;
}

const OFFER_ANSWERS = ["yes", "no", "all", "quit"] as const;
export type OfferAnswer = (typeof OFFER_ANSWERS)[number];

export class Prompt {
  #reader: TerminalReader | undefined;

  constructor(private readonly settings: PromptSettings) {}

  get isAvailable(): boolean {
    return this.settings.isAvailable;
  }

  /**
   * Asks until the human enters a non-empty line. Returns the line trimmed.
   * @param alternative flag that replaces the prompt if there is no terminal, such as `--email ADDRESS`
   * @param defaultAnswer returned for an empty line
   */
  async text(label: string, alternative: string, defaultAnswer?: string): Promise<string> {
    const reader = this.#readerFor(label, alternative);
    const prompt = defaultAnswer === undefined ? `${label}: ` : `${label} [${defaultAnswer}]: `;
    for (;;) {
      const answer = (await reader.readLine(prompt)).trim() || defaultAnswer;
      if (answer) return answer;
    }
  }

  async optionalText(label: string, alternative: string): Promise<string> {
    return (await this.#readerFor(label, alternative).readLine(`${label}: `)).trim();
  }

  async secret(label: string, alternative: string): Promise<string> {
    const reader = this.#readerFor(label, alternative);
    for (;;) {
      const answer = await reader.readLine(`${label}: `, { hidden: true });
      if (answer !== "") return answer;
    }
  }

  /**
   * Asks for confirmation, unless `--yes` is set. Throws `DECLINED` if the human answers no, and
   * `NO_TERMINAL` without a terminal.
   */
  async confirm(question: string): Promise<void> {
    if (this.settings.yes) return;
    const answer = await this.#choose(`${question} [y/N]`, ["no", "yes"]);
    if (answer === "no") throw new Failure("DECLINED", "nothing was changed");
  }

  /** Offers one of several things. Returns "all" with `--yes`. */
  async offer(question: string): Promise<OfferAnswer> {
    return this.settings.yes ? "all" : this.#choose(`${question} [Y/n/all/quit]`, OFFER_ANSWERS);
  }

  /** Accepts the answers and their first letters. An empty line is the first answer. */
  async #choose<Answer extends string>(question: string, answers: readonly Answer[]): Promise<Answer> {
    const reader = this.#readerFor(question, "--yes");
    for (;;) {
      const typed = (await reader.readLine(`${question} `)).trim().toLowerCase();
      const answer = typed === "" ? answers[0] : answers.find((each) => [each, each[0]].includes(typed));
      if (answer !== undefined) return answer;
    }
  }

  /**
   * Asks the human to type a word, because pressing `y` is too easy for dangerous actions.
   * @param consequences printed before the question; may have several lines
   * @param word the word to type; a handle may also be typed with `@`
   */
  async confirmByTyping(consequences: string, word: string): Promise<void> {
    if (this.settings.yes) return;
    const reader = this.#readerFor(consequences, "--yes");
    this.settings.stderr.write(`${consequences}\n`);
    const answer = (await reader.readLine(`Type ${word} to confirm: `)).trim();
    if (answer !== word && answer !== `@${word}`) throw new Failure("DECLINED", "nothing was changed");
  }

  close(): void {
    this.#reader?.close();
  }

  #readerFor(question: string, alternative: string): TerminalReader {
    const { isAvailable, stdin, stderr } = this.settings;
    if (!isAvailable)
      throw new Failure(
        "NO_TERMINAL",
        `this question needs an answer, but there is no terminal: ${question}`,
        [`Pass ${alternative}.`],
      );
    this.#reader ??= new TerminalReader(stdin, stderr);
    return this.#reader;
  }
}
