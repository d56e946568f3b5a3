/** Questions at the terminal. Without a terminal, a question ends the command with an error that names the flag to use. */
import { Failure } from "../failure.js";
import { Keyboard } from "./keyboard.js";

export interface AskSettings {
  /** Whether there is a person to ask (`Session.canAsk`). */
  canAsk: boolean;
  /** `--yes`: what cannot be undone needs no word. */
  yes: boolean;
  stdin: NodeJS.ReadStream;
  stderr: NodeJS.WriteStream;
}

export class Ask {
  #keyboard: Keyboard | undefined;

  constructor(private readonly settings: AskSettings) {}

  /** Whether a question would be put to someone. */
  get possible(): boolean {
    return this.settings.canAsk;
  }

  /**
   * A line of text, without spaces around it; asked again while it is empty.
   * @param label what is asked for, such as `E-mail`
   * @param instead how to say it without a terminal, such as `--email ADDRESS`
   * @param usual what an empty answer means
   */
  async text(label: string, instead: string, usual?: string): Promise<string> {
    const keyboard = this.#keyboardFor(label, instead);
    const prompt = usual === undefined ? `${label}: ` : `${label} [${usual}]: `;
    for (;;) {
      const answer = (await keyboard.ask(prompt)).trim() || usual;
      if (answer) return answer;
    }
  }

  /** A line that may be empty. */
  async line(label: string, instead: string): Promise<string> {
    return (await this.#keyboardFor(label, instead).ask(`${label}: `)).trim();
  }

  /** Something that is not shown while it is typed. It is given exactly as typed. */
  async secret(label: string, instead: string): Promise<string> {
    const keyboard = this.#keyboardFor(label, instead);
    for (;;) {
      const answer = await keyboard.ask(`${label}: `, { hidden: true });
      if (answer !== "") return answer;
    }
  }

  /**
   * Asks before something that cannot be undone; `--yes` is the answer where it was given. Returns where it shall be
   * done; throws `DECLINED` where not, and `NO_TERMINAL` where nobody can be asked.
   * @param what will happen, such as `Revoke wr_0aB1cD2eF of @alice?`
   */
  async confirm(what: string): Promise<void> {
    if (this.settings.yes) return;
    const keyboard = this.#keyboardFor(what, "--yes");
    for (;;) {
      const answer = (await keyboard.ask(`${what} [y/N] `)).trim().toLowerCase();
      if (["y", "yes"].includes(answer)) return;
      if (["", "n", "no"].includes(answer)) throw new Failure("DECLINED", "nothing was changed");
    }
  }

  /**
   * The same before what is so final that a `y` is given too quickly: a word has to be typed.
   * @param what will happen, in as many lines as it takes
   * @param word what is to be typed
   */
  async confirmByTyping(what: string, word: string): Promise<void> {
    if (this.settings.yes) return;
    const keyboard = this.#keyboardFor(what, "--yes");
    this.settings.stderr.write(`${what}\n`);
    const answer = (await keyboard.ask(`Type ${word} to go on: `)).trim();
    if (answer !== word) throw new Failure("DECLINED", "nothing was changed");
  }

  /** Releases the terminal. */
  close(): void {
    this.#keyboard?.close();
  }

  #keyboardFor(question: string, instead: string): Keyboard {
    const { canAsk, stdin, stderr } = this.settings;
    if (!canAsk)
      throw new Failure("NO_TERMINAL", `there is no terminal to ask on: ${question}`, [`Give ${instead}.`]);
    this.#keyboard ??= new Keyboard(stdin, stderr);
    return this.#keyboard;
  }
}
