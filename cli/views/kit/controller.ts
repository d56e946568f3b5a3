/** What stands behind a view: its state, what keys do to it, and when it ends. No screen, no React. */
import { now } from "../../clock.js";
import { type Failure, Interrupted } from "../../failure.js";
import { plain } from "../../output/colours.js";
import { explain } from "../../output/errors.js";
import type { Form } from "./form.js";
import { pressed } from "./form.js";
import type { Key } from "./keys.js";

export interface Size {
  columns: number;
  rows: number;
}

/** A word to the reader at the foot of the screen, until the next one. */
export interface Status {
  tone: "good" | "bad" | "plain";
  text: string;
}

/** A question with yes and no. */
export interface Question {
  title: string;
  /** What would happen, line by line. */
  lines: readonly string[];
  /** The word for yes: `delete`, `revoke`. */
  yes: string;
  run(): void;
}

/** What every view has. */
export interface CommonState {
  size: Size;
  status: Status | undefined;
  /** Word for what is under way, shown beside a spinner. */
  busy: string | undefined;
  showsHelp: boolean;
  question: Question | undefined;
  form: Form | undefined;
  /** Since when, in milliseconds since 1970, the daemon does not answer; undefined while it does. */
  away: { readonly since: number } | undefined;
  /** Whether it has answered at all. */
  hasRead: boolean;
}

/** Errors after which there is nothing left to show: the command ends with them. */
const FATAL = new Set(["UNAUTHORIZED", "NO_CREDENTIALS"]);

/**
 * A view's state and its changes. Open forms, questions and the help take the keys first; the rest goes to `command`.
 * Work that fails never ends a view, unless the credentials have become worthless: the status line says what happened.
 */
export abstract class Controller<State extends CommonState> {
  readonly #listeners = new Set<() => void>();
  #end!: (error?: unknown) => void;
  /** Resolves when the person leaves; rejects with what ended the view otherwise. */
  readonly ended: Promise<void>;
  #state: State;

  constructor(state: State) {
    this.#state = state;
    this.ended = new Promise((resolve, reject) => {
      this.#end = (error) => (error === undefined ? resolve() : reject(error));
    });
  }

  get state(): State {
    return this.#state;
  }

  /** Calls back after each change, until the function that it gives is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Begins the work that goes on by itself: reading, waiting. */
  abstract start(): void;

  /** Ends it. */
  abstract stop(): void;

  /** A key that no form, question or help took. */
  protected abstract command(key: Key): void;

  /** The form was sent. */
  protected abstract submit(form: Form): void;

  /** The form was left; a draft may be kept. */
  protected abstract cancel(form: Form): void;

  press(key: Key): void {
    const { form, question, showsHelp } = this.state;
    if (key.name === "ctrl-c") this.leave(new Interrupted());
    else if (form) this.#pressInForm(form, key);
    else if (question) this.#answer(question, key);
    else if (showsHelp) this.change({ showsHelp: false } as Partial<State>);
    else if (key.name === "?") this.change({ showsHelp: true } as Partial<State>);
    else if (key.name === "q") this.leave();
    else this.command(key);
  }

  resize(size: Size): void {
    this.change({ size } as Partial<State>);
  }

  protected change(part: Partial<State>): void {
    this.#state = { ...this.#state, ...part };
    for (const listener of this.#listeners) listener();
  }

  /** Ends the view, with an error or, without one, since the person wants to go. */
  protected leave(error?: unknown): void {
    this.#end(error);
  }

  protected say(text: string, tone: Status["tone"] = "plain"): void {
    this.change({ status: { text, tone } } as Partial<State>);
  }

  /** The daemon does not answer, and is asked again by itself. */
  protected lost(): void {
    this.change({ away: this.state.away ?? { since: now() } } as Partial<State>);
  }

  /** The daemon has answered. */
  protected answered(): void {
    this.change({ away: undefined, hasRead: true } as Partial<State>);
  }

  protected ask(question: Question): void {
    this.change({ question } as Partial<State>);
  }

  protected open(form: Form | undefined): void {
    this.change({ form } as Partial<State>);
  }

  /** Says what went wrong, with its code and what to do; ends the view where nothing can be done in it. */
  protected fail(error: unknown): void {
    const { message, code, next } = explain(error, plain);
    if (isFatal(error)) this.leave(error);
    else this.say([`${message} (${code})`, ...next.slice(0, 1)].join(" · "), "bad");
  }

  /** Does a piece of work beside the keys. `busy` names it; its failure goes to the status line. */
  protected async attempt(busy: string, work: () => Promise<void>): Promise<void> {
    this.change({ busy } as Partial<State>);
    try {
      await work();
    } catch (error) {
      this.fail(error);
    } finally {
      if (this.state.busy === busy) this.change({ busy: undefined } as Partial<State>);
    }
  }

  /** Sends a form: it stays open, with the reasons, where the work fails, and is closed where it does not. */
  protected async send(form: Form, work: () => Promise<void>): Promise<void> {
    this.open({ ...form, busy: true, complaint: [] });
    try {
      await work();
      this.open(undefined);
    } catch (error) {
      if (isFatal(error)) this.leave(error);
      else this.open({ ...form, busy: false, complaint: complaintOf(error) });
    }
  }

  #pressInForm(form: Form, key: Key): void {
    if (form.busy) return;
    const next = pressed(form, key);
    if (next === "submit") this.submit(form);
    else if (next === "cancel") {
      this.open(undefined);
      this.cancel(form);
    } else this.open(next);
  }

  #answer(question: Question, key: Key): void {
    const isYes = key.name === "y" || key.name === "Y";
    if (!isYes && !["n", "N", "escape", "q", "enter"].includes(key.name)) return;
    this.change({ question: undefined } as Partial<State>);
    if (isYes) question.run();
  }
}

function isFatal(error: unknown): boolean {
  return FATAL.has((error as Failure | { code?: string }).code ?? "");
}

function complaintOf(error: unknown): string[] {
  const { message, code, reasons, next } = explain(error, plain);
  return [`${message} (${code})`, ...reasons, ...next];
}

/** The state of a view that has just been opened. */
export function commonState(size: Size): CommonState {
  return {
    size,
    status: undefined,
    busy: undefined,
    showsHelp: false,
    question: undefined,
    form: undefined,
    away: undefined,
    hasRead: false,
  };
}
