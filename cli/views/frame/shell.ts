/**
 * State that all views share: status line, connection state, dialogs and forms. It also ends the view.
 * Components get the shell from `useShell()`.
 */
import { monotonicMs } from "../../clock.js";
import { type Failure, Interrupted } from "../../failure.js";
import { plain } from "../../output/colours.js";
import { explain } from "../../output/errors.js";
import { paragraphs } from "../styled-text/spans.js";
import type { Key } from "../terminal/keypress.js";
import type { Size } from "../terminal/size.js";
import { type Dialog, dialogWindow, scrollBindings } from "./dialog-window.js";
import { type Form, isMultiline, withFocus, withKey } from "./form.js";
import { type KeyBinding, runBinding } from "./key-bindings.js";
import { Store } from "./store.js";

export type Tone = "good" | "bad" | "plain";

/** A message on the status line. It disappears at the next key press or after 8 seconds. */
export interface Status {
  readonly tone: Tone;
  readonly text: string;
}

/** A question that the user answers with y or n. */
export interface Question {
  readonly title: string;
  /** Paragraphs that explain what answering yes will do. */
  readonly lines: readonly string[];
  /** Label of the key `y`: the action's verb, such as `delete`. */
  readonly yes: string;
  run(): void;
}

export interface FormHandlers {
  /** Sends the form. If it throws, the form stays open and shows the error. */
  submit(form: Form): Promise<void>;
  /** Called when the user closes the form without sending it. */
  onCancel?(form: Form): void;
}

export type Overlay =
  | { readonly kind: "dialog"; readonly dialog: Dialog; readonly top: number }
  | { readonly kind: "form"; readonly form: Form; readonly handlers: FormHandlers };

export interface ShellState {
  readonly status: Status | undefined;
  /** Name of the running request. The status line shows it with a spinner. */
  readonly busy: string | undefined;
  readonly overlay: Overlay | undefined;
  /** Monotonic time at which the daemon stopped answering. Undefined while the daemon answers. */
  readonly unreachableSince: number | undefined;
  /** Whether the daemon has answered at least once. */
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

  /** Handles a key. While a form or dialog is open, only its own bindings apply instead of `bindings`. */
  press(key: Key, bindings: readonly KeyBinding[]): void {
    if (this.state.status) this.#setStatus(undefined);
    if (key.name === "ctrl-c") {
      this.leave(new Interrupted());
      return;
    }
    const message = runBinding(this.bindings(bindings), key);
    if (message !== undefined) this.notify(message, "bad");
  }

  /** Returns the bindings of the open form or dialog. If neither is open, returns `ofView`. */
  bindings(ofView: readonly KeyBinding[]): readonly KeyBinding[] {
    const { overlay } = this.state;
    if (overlay?.kind === "form") return this.#formBindings(overlay.form);
    if (overlay?.kind === "dialog") return this.#dialogBindings(overlay.dialog, overlay.top);
    return ofView;
  }

  /** Ends the view. */
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

  /** Shows an error on the status line. If the daemon rejected the credentials, ends the view instead. */
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

  /** Opens a dialog that asks a question. Calls `run` if the user answers yes. */
  ask({ title, lines, yes, run }: Question): void {
    const close = () => this.closeOverlay();
    const accept = () => {
      close();
      run();
    };
    this.open({
      title,
      lines: (width) => paragraphs(lines, width),
      bindings: [
        { keys: ["y", "Y"], shown: "y", label: yes, run: accept },
        { keys: ["n", "N", "escape", "q", "enter"], shown: "n", label: "no, leave it", run: close },
      ],
    });
  }

  /** Runs a request. Meanwhile, the status line shows `busy`. If the request fails, it shows the error. */
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

  #formBindings(form: Form): KeyBinding[] {
    if (form.isSending) return [];
    const change = (next: Form) => this.#changeForm(next);
    return [
      {
        keys: ["enter", "ctrl-s"],
        shown: "Enter",
        label: form.verb ?? "send",
        run: () => void this.#submit(),
      },
      ...(isMultiline(form)
        ? [
            {
              keys: ["meta-enter", "ctrl-j"],
              shown: "Alt-Enter, Ctrl-J",
              label: "new line",
              run: (key: Key) => change(withKey(form, key)),
            },
          ]
        : []),
      ...(form.fields.length > 1
        ? [
            { keys: ["tab"], shown: "Tab", label: "next field", run: () => change(withFocus(form, 1)) },
            { keys: ["shift-tab"], run: () => change(withFocus(form, -1)) },
          ]
        : []),
      { keys: ["escape"], shown: "Esc", label: "close", run: () => this.#cancelForm() },
      { keys: ["text", ...EDITING_KEYS], run: (key) => change(withKey(form, key)) },
    ];
  }

  /** Returns a dialog's bindings, and bindings that scroll the dialog if it does not fit into the window. */
  #dialogBindings(dialog: Dialog, top: number): KeyBinding[] {
    const scroll = (to: number) => this.store.set({ overlay: { kind: "dialog", dialog, top: to } });
    return [...scrollBindings(dialogWindow(dialog, top, this.getSize()), scroll), ...dialog.bindings];
  }

  #changeForm(form: Form): void {
    const { overlay } = this.state;
    if (overlay?.kind === "form" && form !== overlay.form) this.store.set({ overlay: { ...overlay, form } });
  }

  #cancelForm(): void {
    const { overlay } = this.state;
    if (overlay?.kind !== "form") return;
    this.closeOverlay();
    overlay.handlers.onCancel?.(overlay.form);
  }

  async #submit(): Promise<void> {
    const { overlay } = this.state;
    if (overlay?.kind !== "form") return;
    const { form, handlers } = overlay;
    this.#changeForm({ ...form, isSending: true, errors: [] });
    try {
      await handlers.submit(form);
      // `submit` may have replaced this form with a dialog or another form. Close only this form.
      const current = this.state.overlay;
      if (current?.kind === "form" && current.handlers === handlers) this.closeOverlay();
    } catch (error) {
      if (isFatal(error)) this.leave(error as Error);
      else this.#changeForm({ ...form, isSending: false, errors: errorLines(error) });
    }
  }
}

const EDITING_KEYS = [
  ...[
    "left",
    "right",
    "up",
    "down",
    "home",
    "end",
    "word-left",
    "word-right",
    "backspace",
    "delete",
    "meta-backspace",
  ],
  ...["ctrl-a", "ctrl-e", "ctrl-d", "ctrl-k", "ctrl-u", "ctrl-w", "meta-b", "meta-f"],
];

function isFatal(error: unknown): boolean {
  return FATAL.has((error as Failure | { code?: string }).code ?? "");
}

function errorLines(error: unknown): string[] {
  const { message, code, reasons, hints } = explain(error, plain);
  return [`${message} (${code})`, ...reasons, ...hints];
}
