/** Renders the inbox: the list on the left, the thread on the right. A narrow window shows only one. */
import { type ReactNode, useEffect, useState } from "react";
import type { Wireroom } from "../../../sdk/src/index.js";
import { useStore } from "../frame/store.js";
import { useShell, useWindowSize, ViewFrame } from "../frame/view-frame.js";
import { Inbox } from "./inbox.js";
import { inboxKeys } from "./keys.js";
import { layoutOf } from "./layout.js";
import { ListPane } from "./list-pane.js";
import { ThreadPane } from "./thread-pane.js";

export interface InboxViewProps {
  client: Wireroom;
  /** Slug of the handle whose inbox is shown. */
  me: string;
}

export function InboxView({ client, me }: InboxViewProps): ReactNode {
  const shell = useShell();
  const [inbox] = useState(() => new Inbox(client, shell, me));
  useEffect(() => {
    inbox.run();
    return () => inbox.stop();
  }, [inbox]);
  const state = useStore(inbox.store);
  const { isConnected } = useStore(shell.store);
  const layout = layoutOf(useWindowSize());
  return (
    <ViewFrame name="inbox" who={`@${me}`} bindings={inboxKeys(inbox)}>
      {(!layout.isNarrow || state.focus === "list") && (
        <ListPane {...{ state, layout }} hasRead={isConnected} />
      )}
      {(!layout.isNarrow || state.focus === "thread") && <ThreadPane {...{ state, layout }} />}
    </ViewFrame>
  );
}
