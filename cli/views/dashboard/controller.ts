/** The dashboard: what keys do, and when panes are fetched. */
import { WireroomError } from "../../../sdk/src/index.js";
import { now, sleep } from "../../clock.js";
import { plain } from "../../output/colours.js";
import { explain } from "../../output/errors.js";
import { Controller, type Question, type Size } from "../kit/controller.js";
import type { Form } from "../kit/form.js";
import type { Key } from "../kit/keys.js";
import { moved, windowStart } from "../kit/list-window.js";
import { detailOf } from "./detail.js";
import { layoutOf } from "./layout.js";
import type { AnyPane, Desk, Secret, Sources } from "./pane.js";
import { PANES } from "./panes.js";
import { currentPane, type DashboardState, dataOf, initialState, type PaneData } from "./state.js";

/** Milliseconds after which what is on the screen is fetched again; sooner while the daemon is away. */
const INTERVAL = 5_000;
const AWAY_INTERVAL = 1_000;

export interface DashboardOptions {
  sources: Sources;
  email: string;
  size: Size;
}

export class DashboardController extends Controller<DashboardState> {
  readonly #stop = new AbortController();
  #send: (form: Form) => Promise<void> = async () => {};

  constructor({ sources, email, size }: DashboardOptions) {
    super(initialState(size, sources, email));
  }

  start(): void {
    void this.#run();
  }

  stop(): void {
    this.#stop.abort();
  }

  override press(key: Key): void {
    if (this.state.secret && key.name !== "ctrl-c") this.#pressAtSecret(key);
    else super.press(key);
  }

  protected command(key: Key): void {
    const pane = currentPane(this.state);
    const action = pane.actions.find((each) => each.key === key.name);
    const number = Number(key.name);
    if (number >= 1 && number <= PANES.length) this.#show(number - 1);
    else if (key.name === "tab" || key.name === "shift-tab") this.#focus(this.state.focus === "menu");
    else if (key.name === "left" || key.name === "escape") this.#focus(false);
    else if (key.name === "right" || key.name === "enter") this.#focus(true);
    else if (key.name === "ctrl-r" || key.name === "f") void this.#reload(pane);
    else if (key.name === "J" || key.name === "K") this.#moveDetail(key.name === "J" ? 1 : -1);
    else if (action) this.#act(pane, action.needsRow === true, (item) => action.run(this.#desk, item));
    else if (this.state.focus === "menu") this.#moveInMenu(key);
    else this.#moveInPane(pane, key.name);
  }

  protected submit(form: Form): void {
    void this.send(form, () => this.#send(form));
  }

  protected cancel(): void {}

  /** What actions may do. */
  get #desk(): Desk {
    return {
      sources: this.state.sources,
      ask: (question: Question) => this.ask(question),
      fill: (form, send) => {
        this.#send = send;
        this.open(form);
      },
      attempt: (busy, work) => void this.attempt(busy, work),
      say: (text, tone) => this.say(text, tone),
      reveal: (secret: Secret) => this.change({ secret: { secret, note: undefined } }),
      onward: () => this.#onward(currentPane(this.state)),
      reload: (...ids) => {
        for (const pane of PANES) if (ids.includes(pane.id)) void this.#reload(pane);
      },
    };
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    // Names of handles are used by the others.
    for (const pane of [...PANES].sort((a, b) => Number(b.id === "handles") - Number(a.id === "handles")))
      await this.#reload(pane);
    while (!signal.aborted) {
      await sleep(this.state.away ? AWAY_INTERVAL : INTERVAL, signal);
      if (!signal.aborted) await this.#reload(currentPane(this.state));
    }
  }

  async #reload(pane: AnyPane): Promise<void> {
    const { signal } = this.#stop;
    try {
      const items = await pane.load(this.state.sources, signal);
      this.#put(pane, { items, ...this.#placeIn(pane, items), isLoaded: true, failure: undefined });
      this.answered();
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof WireroomError && error.status === undefined) this.lost();
      else this.#put(pane, { items: [], isLoaded: true, failure: explain(error, plain) });
    }
  }

  /** The selection stays with its row: what is pressed next must not meet another one. */
  #placeIn(pane: AnyPane, items: readonly unknown[]): { selected: number; first: number } {
    const { items: before, selected, first } = dataOf(this.state, pane.id);
    const id = before[selected] === undefined ? undefined : pane.idOf(before[selected]);
    const found = items.findIndex((item) => pane.idOf(item) === id);
    const at = Math.max(0, found >= 0 ? found : Math.min(selected, items.length - 1));
    const { rows } = layoutOf(this.state.size, pane.detail !== undefined);
    return { selected: at, first: windowStart(at, items.length, rows, first) };
  }

  #put(pane: AnyPane, part: Partial<PaneData>): void {
    const { data } = this.state;
    this.change({ data: { ...data, [pane.id]: { ...dataOf(this.state, pane.id), ...part } } });
  }

  #show(current: number): void {
    this.change({ current, focus: "content" });
    void this.#reload(currentPane(this.state));
  }

  #focus(content: boolean): void {
    this.change({ focus: content ? "content" : "menu" });
  }

  #moveInMenu(key: Key): void {
    const current = moved(this.state.current, key.name, PANES.length, PANES.length);
    if (current === undefined) return;
    this.change({ current });
    void this.#reload(currentPane(this.state));
  }

  #moveInPane(pane: AnyPane, key: string): void {
    const { items, selected, first } = dataOf(this.state, pane.id);
    const { rows } = layoutOf(this.state.size, pane.detail !== undefined);
    const to = moved(selected, key, items.length, rows);
    if (to === undefined || items.length === 0) return;
    this.#put(pane, { selected: to, first: windowStart(to, items.length, rows, first) });
  }

  /** By a page, of which a line stays. */
  #moveDetail(direction: 1 | -1): void {
    const { id, top, rows, below } = detailOf(this.state, now());
    const page = Math.max(1, rows - 1);
    this.change({ detail: { id, top: Math.max(0, top + (direction > 0 ? Math.min(page, below) : -page)) } });
  }

  #onward(pane: AnyPane): () => void {
    const { items, selected } = dataOf(this.state, pane.id);
    const next = items[selected + 1] ?? items[selected - 1];
    const id = next === undefined ? undefined : pane.idOf(next);
    return () => {
      const at = dataOf(this.state, pane.id).items.findIndex((item) => pane.idOf(item) === id);
      if (at >= 0) this.#put(pane, { selected: at });
    };
  }

  #act(pane: AnyPane, needsRow: boolean, run: (item: unknown) => void): void {
    const { items, selected } = dataOf(this.state, pane.id);
    const item = items[selected];
    if (needsRow && item === undefined) this.say("There is no row to do that with.", "bad");
    else run(item);
  }

  #pressAtSecret(key: Key): void {
    const { secret: shown } = this.state;
    if (!shown) return;
    if (key.name === "s" && shown.note === undefined) void this.#keep(shown.secret);
    else if (key.name === "escape" || key.name === "q") this.change({ secret: undefined });
  }

  async #keep(secret: Secret): Promise<void> {
    const note = (text: string) => this.change({ secret: { secret, note: text } });
    note("keeping it …");
    try {
      note(await secret.keep());
    } catch (error) {
      note(explain(error, plain).message);
    }
  }
}
