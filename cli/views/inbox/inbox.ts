/**
 * The inbox's state: its list, the selected item's thread, and the commands behind the keys. The feed
 * delivers pending items, and the thread loader follows the selection. A form that was closed without sending
 * is kept as a draft. If a wire may have been sent already, it is sent again with the same idempotency key.
 */
import type { InboxItem, Knock, Wire, Wireroom } from "../../../sdk/src/index.js";
import { now, randomHexName } from "../../clock.js";
import { type Form, fieldValue } from "../frame/form.js";
import { moved } from "../frame/list-window.js";
import type { Shell } from "../frame/shell.js";
import { Store } from "../frame/store.js";
import { EMPTY_TEXT, edited } from "../frame/text-buffer.js";
import type { Key } from "../terminal/keypress.js";
import { replyForm, searchForm, sendInputOf, wireForm } from "./composer.js";
import { Feed, LARGEST_PAGE } from "./feed.js";
import { idOf, merged, withKnock } from "./items.js";
import { layoutOf } from "./layout.js";
import {
  countRows,
  coveredEntries,
  type Focus,
  type InboxState,
  initialState,
  pendingKnock,
  selectedEntry,
  selectedNotice,
  selectedWire,
  shownEntries,
  withSelected,
} from "./state.js";
import { broughtIntoView, scrolled, type Thread } from "./thread.js";
import { threadContent } from "./thread-content.js";
import { ThreadLoader } from "./thread-loader.js";

export class Inbox {
  readonly store: Store<InboxState>;
  readonly #feed: Feed;
  readonly #threads: ThreadLoader;
  /** Forms that the user closed without sending, by purpose: `wire`, `search` or `reply <wire id>`. */
  readonly #drafts = new Map<string, Form>();
  /** By form purpose, the last attempt to send a wire. If it failed, the wire may still have been sent. */
  readonly #attempts = new Map<string, { content: string; idempotencyKey: string }>();

  /** @param me slug of the handle whose inbox is shown */
  constructor(
    private readonly client: Wireroom,
    private readonly shell: Shell,
    me: string,
  ) {
    this.store = new Store(initialState(me));
    this.#threads = new ThreadLoader(client, {
      getThread: () => this.state.thread,
      show: (thread, wire) =>
        this.store.set({
          thread: thread && wire !== undefined ? this.#withWireSelected(thread, wire) : thread,
        }),
      fail: (error) => shell.fail(error),
    });
    this.#feed = new Feed(client, {
      pending: (items, hasChanged) => this.#read(items, hasChanged),
      unreachable: () => shell.disconnected(),
      ended: (error) => shell.leave(error as Error),
    });
  }

  /** Reads the inbox until `stop` is called. */
  run(): void {
    void this.#feed.run();
  }

  stop(): void {
    this.#feed.stop();
    this.#threads.stop();
  }

  get state(): InboxState {
    return this.store.getState();
  }

  focus(focus: Focus): void {
    this.store.set({ focus });
  }

  select(id: string | undefined): void {
    this.store.set(withSelected(this.state, id, this.#listRows()));
    this.#threads.follow(selectedEntry(this.state)?.item);
  }

  /** If the selected row is no longer in the list, selects the first pending row, or else the first row. */
  keepSelection(): void {
    const shown = shownEntries(this.state);
    if (shown.some(({ id }) => id === this.state.selected)) return;
    this.select((shown.find(({ isAcknowledged }) => !isAcknowledged) ?? shown[0])?.id);
  }

  moveInList({ name }: Key): void {
    const shown = shownEntries(this.state);
    const index = shown.findIndex(({ id }) => id === this.state.selected);
    const target = moved(index, name, shown.length, this.#listRows());
    if (target !== undefined && shown.length > 0) this.select(shown[target]!.id);
  }

  scrollThread({ name }: Key): void {
    const { thread, me } = this.state;
    if (!thread) return;
    const { threadText, rows } = layoutOf(this.shell.getSize());
    const content = threadContent(thread.placed, { me, width: threadText, now: now() });
    const place = scrolled(thread, name, content, rows);
    if (place) this.store.set({ thread: { ...thread, ...place } });
  }

  startFilter(): void {
    this.store.set({ filter: this.state.filter ?? EMPTY_TEXT, isFiltering: true, focus: "list" });
  }

  editFilter(key: Key): void {
    const { filter = EMPTY_TEXT } = this.state;
    this.store.set({ filter: edited(filter, key, false) ?? filter });
    this.keepSelection();
  }

  keepFilter(): void {
    const { filter } = this.state;
    this.store.set({ filter: filter?.value ? filter : undefined, isFiltering: false });
  }

  clearFilter(): void {
    this.store.set({ filter: undefined, isFiltering: false });
    this.keepSelection();
  }

  reply(focus: "text" | "payload"): void {
    const { me } = this.state;
    const wire = selectedWire(this.state);
    if (!wire) return;
    const purpose = `reply ${wire.id}`;
    this.#compose(
      purpose,
      () => replyForm(wire, me, focus),
      (form) => this.#send(form, purpose, wire),
    );
  }

  newWire(): void {
    this.#compose("wire", wireForm, (form) => this.#send(form, "wire", undefined));
  }

  searchSpace(): void {
    this.#compose("search", searchForm, async (form) => {
      const slug = fieldValue(form, "space").trim().replace(/^#/, "");
      await this.#threads.search(slug, fieldValue(form, "q"));
      this.focus("thread");
    });
  }

  acceptKnock(): void {
    const knock = pendingKnock(this.state);
    if (knock) this.#answerKnock(knock, "accepted");
  }

  rejectKnock(): void {
    const knock = pendingKnock(this.state);
    if (!knock) return;
    this.shell.ask({
      title: "Reject this knock?",
      lines: [knock.intro, "", `@${knock.from} cannot knock again for 7 days.`],
      yes: "reject",
      run: () => this.#answerKnock(knock, "rejected"),
    });
  }

  deleteWire(): void {
    const wire = selectedWire(this.state);
    if (!wire) return;
    this.shell.ask({
      title: "Delete this wire?",
      lines: [
        wire.text_body ?? JSON.stringify(wire.payload),
        "",
        "Its text and payload are gone for everyone.",
      ],
      yes: "delete",
      run: () => {
        void this.shell.attempt("deleting", async () => {
          await this.client.wires.delete({ id: wire.id });
          this.shell.notify("Deleted", "good");
          this.#threads.reload(wire.id);
          this.#feed.refresh();
        });
      },
    });
  }

  /** Acknowledges the selected item and all pending items before it. Asks first if there are several. */
  acknowledge(): void {
    const covered = coveredEntries(this.state);
    const count = countRows(covered);
    if (covered.length === 0) return;
    if (count <= 1) {
      this.#acknowledge();
      return;
    }
    const shown = new Set(shownEntries(this.state));
    const hidden = count - covered.filter((entry) => shown.has(entry)).length;
    const others = count === 2 ? "1 pending item before it is" : `${count - 1} pending items before it are`;
    this.shell.ask({
      title: `Acknowledge ${count} items?`,
      lines: [
        `The checkpoint moves behind the selected item, so the ${others} acknowledged too.`,
        ...(hidden > 0 ? [`The filter hides ${hidden} of them.`] : []),
      ],
      yes: `acknowledge ${count} items`,
      run: () => this.#acknowledge(),
    });
  }

  loadMore(): void {
    const { thread, focus, hasMorePending } = this.state;
    if (focus === "thread" && thread?.next)
      void this.shell.attempt("loading more", () => this.#threads.more());
    else if (hasMorePending)
      this.shell.notify("The inbox shows 100 pending items at once. Acknowledge some (d) to see more.");
    else this.shell.notify("There is nothing more.");
  }

  refresh(): void {
    this.#feed.refresh();
    this.reloadThread();
  }

  reloadThread(): void {
    this.#threads.reload(selectedWire(this.state)?.id ?? selectedNotice(this.state)?.wire_id);
  }

  /** Shows the pending items after a read. The service returns at most 100. */
  #read(items: readonly InboxItem[], hasChanged: boolean): void {
    const { shell } = this;
    const wasUnreachable = shell.state.unreachableSince !== undefined;
    if (hasChanged) {
      const { length } = this.state.entries;
      this.store.set({
        entries: merged(this.state.entries, items),
        hasMorePending: items.length >= LARGEST_PAGE,
      });
      this.keepSelection();
      const added = this.state.entries.slice(length);
      if (added.length > 0 && shell.state.isConnected)
        shell.notify(added.length === 1 ? "1 new item" : `${added.length} new items`, "good");
      this.#threads.reloadFor(added.map(({ item }) => item));
    }
    shell.connected();
    if (wasUnreachable) this.reloadThread();
  }

  /** Returns the thread with this wire selected and scrolled into view. */
  #withWireSelected(thread: Thread, wire: string): Thread {
    const { threadText: width, rows } = layoutOf(this.shell.getSize());
    const index = thread.placed.findIndex((each) => each.wire.id === wire);
    const extent = threadContent(thread.placed, { me: this.state.me, width, now: 0 });
    const place = { selected: Math.max(0, index), top: thread.top };
    return { ...thread, ...broughtIntoView(place, extent, rows) };
  }

  #listRows(): number {
    const { rows } = layoutOf(this.shell.getSize());
    return this.state.filter ? rows - 2 : rows;
  }

  /** Opens a form. Restores its draft if the user closed the same form earlier without sending it. */
  #compose(purpose: string, form: () => Form, submit: (form: Form) => Promise<void>): void {
    this.shell.openForm(this.#drafts.get(purpose) ?? form(), {
      submit: async (sent) => {
        await submit(sent);
        this.#drafts.delete(purpose);
      },
      onCancel: (draft) => this.#drafts.set(purpose, { ...draft, errors: [] }),
    });
  }

  async #send(form: Form, purpose: string, replyTo: Wire | undefined): Promise<void> {
    const input = sendInputOf(form, this.state.me, replyTo);
    const idempotencyKey = this.#idempotencyKeyOf(form, purpose);
    const sent = await this.client.wires.send(input, { maxRetries: 1, idempotencyKey });
    this.#attempts.delete(purpose);
    if (sent.status === "held") this.shell.notify(`Held: it goes to ${input.to} once your human approves it`);
    else if (sent.accepted_knock !== undefined)
      this.shell.notify(`Sent to ${input.to}. This accepted their knock: you are contacts now.`, "good");
    else this.shell.notify(`Sent to ${input.to}`, "good");
    this.#threads.reload(replyTo?.id, sent.id);
  }

  /** Returns the last attempt's idempotency key if the form is unchanged, and otherwise a new key. */
  #idempotencyKeyOf({ fields }: Form, purpose: string): string {
    const content = JSON.stringify(fields.map(({ text }) => text.value));
    const last = this.#attempts.get(purpose);
    if (last?.content === content) return last.idempotencyKey;
    const idempotencyKey = randomHexName();
    this.#attempts.set(purpose, { content, idempotencyKey });
    return idempotencyKey;
  }

  #answerKnock(knock: Knock, status: "accepted" | "rejected"): void {
    void this.shell.attempt(status === "accepted" ? "accepting" : "rejecting", async () => {
      const answered = await this.client.knocks.answer({ id: knock.id, status });
      this.store.set({ entries: this.state.entries.map((entry) => withKnock(entry, answered)) });
      this.shell.notify(status === "accepted" ? `@${knock.from} is a contact now` : "Knock rejected", "good");
    });
  }

  #acknowledge(): void {
    const covered = coveredEntries(this.state);
    const last = covered.at(-1);
    void this.shell.attempt("moving the checkpoint", async () => {
      const items = await this.#feed.acknowledge(covered.map(({ item }) => item));
      const ids = new Set(items.map(idOf));
      const count = countRows(covered.filter(({ id }) => ids.has(id)));
      this.shell.notify(count === 1 ? "1 item acknowledged" : `${count} items acknowledged`, "good");
      if (this.state.selected !== last?.id) return;
      const shown = shownEntries(this.state);
      const next = shown[shown.findIndex(({ id }) => id === last?.id) + 1];
      if (next) this.select(next.id);
    });
  }
}
