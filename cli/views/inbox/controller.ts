/** The interactive inbox: what keys do, and what the service is asked for. */
import type { Knock, Wire, Wireroom } from "../../../sdk/src/index.js";
import { now } from "../../clock.js";
import { Controller, type Size } from "../kit/controller.js";
import { type Form, fieldValue } from "../kit/form.js";
import type { Key } from "../kit/keys.js";
import { moved, windowStart } from "../kit/list-window.js";
import { EMPTY_TEXT, edited } from "../kit/text-buffer.js";
import { addressOf, type Purpose, replyForm, searchForm, wireForm, wireOf } from "./composer.js";
import { Feed, LARGEST_PAGE } from "./feed.js";
import { type Entry, merged } from "./items.js";
import { layoutOf } from "./layout.js";
import {
  type InboxState,
  initialState,
  selectedEntry,
  selectedKnock,
  selectedNotice,
  selectedWire,
  shownEntries,
} from "./state.js";
import { scrolled } from "./thread.js";
import { threadContent } from "./thread-content.js";
import { ThreadPane } from "./thread-pane.js";

export interface InboxOptions {
  client: Wireroom;
  /** Slug of the handle that acts. */
  me: string;
  size: Size;
}

export class InboxController extends Controller<InboxState> {
  readonly #client: Wireroom;
  readonly #feed: Feed;
  readonly #threads: ThreadPane;
  /** What was written and not sent. */
  readonly #drafts = new Map<Purpose, Form>();
  #purpose: Purpose = "";
  #replyTo: Wire | undefined;

  constructor({ client, me, size }: InboxOptions) {
    super(initialState(size, me));
    this.#client = client;
    this.#feed = new Feed(client, {
      pending: (items) => this.#arrived(merged(this.state.entries, items), items.length >= LARGEST_PAGE),
      away: () => this.lost(),
      ended: (error) => this.leave(error),
    });
    this.#threads = new ThreadPane(client, {
      state: () => this.state,
      show: (thread) => this.change({ thread }),
      fail: (error) => this.fail(error),
    });
  }

  start(): void {
    void this.#feed.run();
  }

  stop(): void {
    this.#feed.stop();
    this.#threads.stop();
  }

  override press(key: Key): void {
    if (this.state.isFiltering && key.name !== "ctrl-c") this.#filter(key);
    else super.press(key);
  }

  protected command(key: Key): void {
    const run = this.#commands[key.name];
    if (run) run();
    else if (this.state.focus === "thread") this.#scroll(key);
    else this.#moveInList(key);
  }

  readonly #commands: Readonly<Record<string, () => void>> = {
    tab: () => this.change({ focus: this.state.focus === "list" ? "thread" : "list" }),
    "shift-tab": () => this.#commands.tab!(),
    enter: () => this.change({ focus: "thread" }),
    right: () => this.change({ focus: "thread" }),
    left: () => this.change({ focus: "list" }),
    escape: () => this.change(this.state.focus === "thread" ? { focus: "list" } : { filter: undefined }),
    r: () => this.#reply("text"),
    p: () => this.#reply("payload"),
    n: () => this.#compose("wire", () => wireForm(), undefined),
    s: () => this.#compose("search", () => searchForm(), undefined),
    a: () => this.#answer("accepted"),
    x: () => this.#askToReject(),
    d: () => this.#dealWith(),
    D: () => this.#askToDelete(),
    delete: () => this.#askToDelete(),
    "/": () => this.change({ focus: "list", isFiltering: true, filter: this.state.filter ?? EMPTY_TEXT }),
    m: () => this.#more(),
    u: () => this.#refresh(),
  };

  protected submit(form: Form): void {
    if (this.#purpose === "search") void this.#search(form);
    else void this.#sendWire(form);
  }

  protected cancel(form: Form): void {
    this.#drafts.set(this.#purpose, form);
  }

  #arrived(entries: readonly Entry[], isFull: boolean): void {
    const { hasRead, away, entries: before } = this.state;
    const count = entries.length - before.length;
    this.answered();
    this.change({ entries, isFull });
    if (hasRead && count > 0) this.say(count === 1 ? "1 new item" : `${count} new items`, "good");
    const isGone = !entries.some(({ name }) => name === this.state.selected);
    if (isGone) this.#select(entries.find(({ isDealtWith }) => !isDealtWith) ?? entries[0]);
    // What could not be fetched meanwhile is fetched now.
    if (away) this.#reloadThread();
    else this.#threads.newsOf(entries.slice(before.length));
  }

  #select(entry: Entry | undefined): void {
    const entries = this.state.entries.map((each) => (each === entry ? { ...each, isNew: false } : each));
    this.change({ entries, selected: entry?.name });
    const shown = shownEntries(this.state);
    const at = shown.findIndex(({ name }) => name === entry?.name);
    const { rows } = layoutOf(this.state.size);
    this.change({ first: windowStart(Math.max(0, at), shown.length, rows, this.state.first) });
    this.#threads.follow(entry?.item);
  }

  #moveInList(key: Key): void {
    const shown = shownEntries(this.state);
    const at = shown.findIndex(({ name }) => name === this.state.selected);
    const to = moved(at, key.name, shown.length, layoutOf(this.state.size).rows);
    if (to !== undefined && shown.length > 0) this.#select(shown[to]);
  }

  #scroll(key: Key): void {
    const { thread, me, size } = this.state;
    if (!thread) return;
    const { threadText, rows } = layoutOf(size);
    const content = threadContent(thread.placed, { me, width: threadText, now: now() });
    const place = scrolled(thread, key.name, content, rows);
    if (place) this.change({ thread: { ...thread, ...place } });
  }

  #filter(key: Key): void {
    const { filter = EMPTY_TEXT } = this.state;
    if (key.name === "escape") this.change({ isFiltering: false, filter: undefined });
    else if (key.name === "enter" || key.name === "tab")
      this.change({ isFiltering: false, filter: filter.value === "" ? undefined : filter });
    else if (key.name === "up" || key.name === "down") this.#moveInList(key);
    else {
      this.change({ filter: edited(filter, key, false) ?? filter, first: 0 });
      const shown = shownEntries(this.state);
      if (!shown.some(({ name }) => name === this.state.selected)) this.#select(shown[0]);
    }
  }

  #reply(focus: "text" | "payload"): void {
    const wire = selectedWire(this.state);
    if (!wire) this.say("Select a wire to reply to. To write to anyone else: n", "bad");
    else this.#compose(`reply ${wire.id}`, () => replyForm(wire, this.state.me, focus), wire);
  }

  #compose(purpose: Purpose, form: () => Form, replyTo: Wire | undefined): void {
    this.#purpose = purpose;
    this.#replyTo = replyTo;
    const draft = this.#drafts.get(purpose);
    this.open(draft ? { ...draft, busy: false, complaint: [] } : form());
  }

  async #sendWire(form: Form): Promise<void> {
    const replyTo = this.#replyTo;
    const { me } = this.state;
    await this.send(form, async () => {
      const to = replyTo && addressOf(replyTo, me);
      const input = wireOf(form, to, replyTo?.id);
      const sent = await this.#client.wires.send(input, { maxRetries: 1 });
      this.#drafts.delete(this.#purpose);
      if (sent.status === "held") this.say(`Held: it goes to ${input.to} once your human approves it`);
      else this.say(`Sent to ${input.to}`, "good");
      this.#threads.reload(replyTo?.id, sent.id);
    });
  }

  async #search(form: Form): Promise<void> {
    await this.send(form, async () => {
      const slug = fieldValue(form, "space").trim().replace(/^#/, "");
      await this.#threads.search(slug, fieldValue(form, "q"));
      this.#drafts.delete(this.#purpose);
      this.change({ focus: "thread" });
    });
  }

  #answer(status: "accepted" | "rejected"): void {
    const knock = this.#pendingKnock();
    if (!knock) return;
    void this.attempt(status === "accepted" ? "accepting" : "rejecting", async () => {
      const answered = await this.#client.knocks.answer({ id: knock.id, status });
      this.change({ entries: this.state.entries.map((entry) => withKnock(entry, answered)) });
      this.say(status === "accepted" ? `@${knock.from} is a contact now` : "Knock rejected", "good");
    });
  }

  #askToReject(): void {
    const knock = this.#pendingKnock();
    if (!knock) return;
    this.ask({
      title: "Reject this knock?",
      lines: [knock.intro, "", "Whoever knocked cannot knock again for 7 days."],
      yes: "reject",
      run: () => this.#answer("rejected"),
    });
  }

  #pendingKnock(): Knock | undefined {
    const knock = selectedKnock(this.state);
    if (!knock) this.say("Select a knock to answer it.", "bad");
    else if (knock.status !== "pending") this.say(`This knock is ${knock.status} already.`, "bad");
    else return knock;
    return undefined;
  }

  #askToDelete(): void {
    const wire = selectedWire(this.state);
    if (!wire || wire.sender !== this.state.me)
      this.say("Only a wire of your own can be deleted: select it in its thread (Tab).", "bad");
    else if (wire.tombstone) this.say("This wire is removed already.");
    else
      this.ask({
        title: "Delete this wire?",
        lines: [
          wire.text_body ?? JSON.stringify(wire.payload),
          "",
          "Its text and payload are gone for everyone.",
        ],
        yes: "delete",
        run: () => void this.#delete(wire),
      });
  }

  async #delete({ id }: Wire): Promise<void> {
    await this.attempt("deleting", async () => {
      await this.#client.wires.delete({ id });
      this.say("Deleted", "good");
      this.#threads.reload(id);
      this.#feed.refresh();
    });
  }

  #dealWith(): void {
    const { entries } = this.state;
    const entry = selectedEntry(this.state);
    if (entry?.isDealtWith !== false) {
      this.say(entry ? "This is dealt with already." : "There is nothing to deal with.");
      return;
    }
    const upTo = entries.indexOf(entry) + 1;
    const items = entries
      .slice(0, upTo)
      .filter(({ isDealtWith }) => !isDealtWith)
      .map(({ item }) => item);
    void this.attempt("moving the checkpoint", async () => {
      const count = await this.#feed.dealWith(items);
      this.say(count === 1 ? "1 item dealt with" : `${count} items dealt with`, "good");
      const next = this.state.entries[upTo];
      if (next) this.#select(next);
    });
  }

  #more(): void {
    const { thread, focus, isFull } = this.state;
    if (focus === "thread" && thread?.next) void this.attempt("loading more", () => this.#threads.more());
    else if (isFull) this.say("The inbox gives 100 items at once: deal with some (d), and more come.");
    else this.say("That is all there is.");
  }

  #refresh(): void {
    this.#feed.refresh();
    this.#reloadThread();
  }

  #reloadThread(): void {
    this.#threads.reload(selectedWire(this.state)?.id ?? selectedNotice(this.state)?.wire_id);
  }
}

function withKnock(entry: Entry, knock: Knock): Entry {
  const { item } = entry;
  return item.kind === "knock" && item.knock.id === knock.id ? { ...entry, item: { ...item, knock } } : entry;
}
