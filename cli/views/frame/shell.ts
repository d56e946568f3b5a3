/** State that all views share: the status line, the connection, and the open dialog or form. */
import { monotonicMs } from "../../clock.js";
import { type Failure, Interrupted } from "../../failure.js";
import { plain } from "../../output/colours.js";
import { explain } from "../../output/errors.js";
import { paragraphs } from "../styled-text/spans.js";
import type { Key } from "../terminal/keyboard.js";
import type { Size } from "../terminal/terminal.js";
import { type Dialog, dialogBindings } from "./dialog.js";
import { type Form, formBindings } from "./form.js";
import { Store } from "./hooks.js";
import { type KeyBinding, runBinding } from "./key-bindings.js";

export type Tone = "good" | "bad" | "plain";

/** A message on the status line. It disappears at the next key press or after 8 seconds. */
export interface Status {
  readonly tone: Tone;
  readonly text: string;
}

export interface Question {
  readonly title: string;
  readonly lines: readonly string[];
  /** Label of the key `y`: the action's verb, such as `delete`. */
  readonly yes: string;
  run(): void;
}

export interface FormHandlers {
  /** Sends the form. If it throws, the form stays open and shows the error. */
  submit(form: Form): Promise<void>;
  onCancel?(form: Form): void;
}

interface FormOverlay {
  readonly kind: "form";
  readonly form: Form;
  readonly handlers: FormHandlers;
}

type Overlay = FormOverlay | { readonly kind: "dialog"; readonly dialog: Dialog; readonly top: number };

export interface ShellState {
  readonly status: Status | undefined;
  readonly busy: string | undefined;
  readonly overlay: Overlay | undefined;
  /** Monotonic time at which the daemon stopped answering. Undefined while the daemon answers. */
  readonly unreachableSince: number | undefined;
  readonly isConnected: boolean;
}

const INITIAL: ShellState = {
  status: undefined,
  busy: undefined,
  overlay: undefined,
  unreachableSince: undefined,
  isConnected: false,
};

const STATUS_TIMEOUT_MS = 8_000;
/** Error codes that end the view, because no request can succeed without valid credentials. */
const FATAL = new Set(["UNAUTHORIZED", "NO_CREDENTIALS"]);

export class Shell {
  readonly store = new Store<ShellState>(INITIAL);
  /** Set by `ViewFrame`. */
  viewBindings: () => readonly KeyBinding[] = () => [];
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param exit ends the view. If it is called with an error, the command fails with that error.
   * @param getSize returns the window size
   */
  constructor(
    private readonly exit: (error?: Error) => void,
    readonly getSize: () => Size,
  ) {}

  get state(): ShellState {
    return this.store.getState();
  }

  press(key: Key): void {
    if (this.state.status) this.#setStatus(undefined);
    if (key.name === "ctrl-c") {
      this.leave(new Interrupted());
      return;
    }
    const message = runBinding(this.overlayBindings() ?? this.viewBindings(), key);
    if (message) this.notify(message, "bad");
  }

  /** While a form or dialog is open, the view's own bindings do not apply. */
  overlayBindings(): readonly KeyBinding[] | undefined {
    const { overlay } = this.state;
    if (overlay?.kind === "form")
      return formBindings(overlay.form, {
        change: (form) => this.store.set({ overlay: { ...overlay, form } }),
        submit: () => void this.#submit(overlay),
        cancel: () => {
          this.closeOverlay();
          overlay.handlers.onCancel?.(overlay.form);
        },
      });
    if (overlay?.kind === "dialog")
      return dialogBindings(overlay.dialog, overlay.top, this.getSize(), (top) =>
        this.store.set({ overlay: { ...overlay, top } }),
      );
    return undefined;
  }

  leave(error?: Error): void {
    this.stop();
    this.exit(error);
  }

  /** Stops the status message's timer. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  notify(text: string, tone: Tone = "plain"): void {
    this.#setStatus({ text, tone });
  }

  fail(error: unknown): void {
    const { message, code, hints } = explain(error, plain);
    if (isFatal(error)) this.leave(error as Error);
    else this.notify([`${message} (${code})`, ...hints.slice(0, 1)].join(" · "), "bad");
  }

  disconnected(): void {
    this.store.set({ unreachableSince: this.state.unreachableSince ?? monotonicMs() });
  }

  connected(): void {
    if (this.state.isConnected && this.state.unreachableSince === undefined) return;
    this.store.set({ unreachableSince: undefined, isConnected: true });
  }

  open(dialog: Dialog): void {
    this.store.set({ overlay: { kind: "dialog", dialog, top: 0 } });
  }

  openForm(form: Form, handlers: FormHandlers): void {
    this.store.set({ overlay: { kind: "form", form, handlers } });
  }

  closeOverlay(): void {
    this.store.set({ overlay: undefined });
  }

  ask({ title, lines, yes, run }: Question): void {
    const answer = (act?: () => void) => () => {
      this.closeOverlay();
      act?.();
    };
    this.open({
      title,
      lines: (width) => paragraphs(lines, width),
      bindings: [
        { keys: ["y", "Y"], label: yes, run: answer(run) },
        { keys: ["n", "N", "escape", "q", "enter"], label: "no, leave it", run: answer() },
      ],
    });
  }

  async attempt(busy: string, request: () => Promise<void>): Promise<void> {
    this.store.set({ busy });
    try {
      await request();
    } catch (error) {
      this.fail(error);
    } finally {
      if (this.state.busy === busy) this.store.set({ busy: undefined });
    }
  }

  #setStatus(status: Status | undefined): void {
    clearTimeout(this.#timer);
    this.store.set({ status });
    if (status) this.#timer = setTimeout(() => this.store.set({ status: undefined }), STATUS_TIMEOUT_MS);
  }

  async #submit({ form, handlers }: FormOverlay): Promise<void> {
    const sending = { ...form, isSending: true, errors: [] };
    this.openForm(sending, handlers);
    try {
      await handlers.submit(form);
      if (this.#shows(sending)) this.closeOverlay();
    } catch (error) {
      if (isFatal(error)) this.leave(error as Error);
      else if (this.#shows(sending)) this.openForm({ ...form, errors: errorLines(error) }, handlers);
    }
  }

  /** Returns whether the form is still open, because `submit` may have opened a dialog or another form. */
  #shows(form: Form): boolean {
    const { overlay } = this.state;
    return overlay?.kind === "form" && overlay.form === form;
  }
}

function isFatal(error: unknown): boolean {
  return FATAL.has((error as Failure | { code?: string }).code ?? "");
}

function errorLines(error: unknown): string[] {
  const { message, code, reasons, hints } = explain(error, plain);
  return [`${message} (${code})`, ...reasons, ...hints];
}
