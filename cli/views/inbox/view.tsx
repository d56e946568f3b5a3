/**
 * Renders the inbox view: the list on the left and the thread on the right. A narrow window shows only one of
 * them.
 */
import type { ReactNode } from "react";
import { useState } from "react";
import type { Wireroom } from "../../../sdk/src/index.js";
import type { Shell } from "../kit/shell.js";
import { Store, useStore } from "../kit/store.js";
import { useShell, useWindowSize, ViewFrame } from "../kit/view-frame.js";
import { inboxBindings } from "./bindings.js";
import { InboxCommands } from "./commands.js";
import { layoutOf } from "./layout.js";
import { ListPane } from "./list-pane.js";
import { type InboxAction, type InboxState, initialState, reduce } from "./state.js";
import { broughtIntoView, type Thread } from "./thread.js";
import { threadContent } from "./thread-content.js";
import { useThreadLoader } from "./thread-loader.js";
import { ThreadPane } from "./thread-pane.js";
import { useInboxFeed } from "./use-inbox-feed.js";

export interface InboxViewProps {
  client: Wireroom;
  /** Slug of the handle whose inbox is shown. */
  me: string;
}

export function InboxView({ client, me }: InboxViewProps): ReactNode {
  const commands = useInbox(client, me);
  const shell = useShell();
  const state = useStore(commands.store);
  const { isConnected } = useStore(shell.store);
  const layout = layoutOf(useWindowSize());
  return (
    <ViewFrame name="inbox" who={`@${me}`} bindings={inboxBindings(commands)}>
      {(!layout.isNarrow || state.focus === "list") && (
        <ListPane {...{ state, layout }} hasRead={isConnected} />
      )}
      {(!layout.isNarrow || state.focus === "thread") && <ThreadPane {...{ state, layout }} />}
    </ViewFrame>
  );
}

/** Creates the store, the loaders and the commands of the inbox, once per view. */
function useInbox(client: Wireroom, me: string): InboxCommands {
  const shell = useShell();
  const [store] = useState(() => new Store<InboxState, InboxAction>(reduce, initialState(me)));
  const threads = useThreadLoader(client, {
    getThread: () => store.getState().thread,
    show: (thread, wire) => {
      const placed = thread && wire !== undefined ? withWireSelected(thread, wire, me, shell) : thread;
      store.dispatch({ type: "thread", thread: placed });
    },
    fail: (error) => shell.fail(error),
  });
  const feed = useInboxFeed(client, {
    onChange(items, hasMorePending) {
      const before = store.getState().entries.length;
      store.dispatch({ type: "read", items, hasMorePending });
      commands.keepSelection();
      const added = store.getState().entries.slice(before);
      const { length } = added;
      if (length > 0 && shell.state.isConnected)
        shell.notify(length === 1 ? "1 new item" : `${length} new items`, "good");
      threads.reloadFor(added.map(({ item }) => item));
    },
    onReconnect: () => commands.reloadThread(),
  });
  const [commands] = useState(() => new InboxCommands({ client, store, shell, feed, threads }));
  return commands;
}

/** Returns the thread with this wire selected, scrolled so that the wire is visible. */
function withWireSelected(thread: Thread, wire: string, me: string, shell: Shell): Thread {
  const { threadText: width, rows } = layoutOf(shell.getSize());
  const selected = Math.max(
    0,
    thread.placed.findIndex((each) => each.wire.id === wire),
  );
  const extent = threadContent(thread.placed, { me, width, now: 0 });
  return { ...thread, ...broughtIntoView({ selected, top: thread.top }, extent, rows) };
}
