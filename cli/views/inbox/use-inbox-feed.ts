/** A hook that reads the inbox while the view is open. */
import { useEffect, useState } from "react";
import type { InboxItem, Wireroom } from "../../../sdk/src/index.js";
import { useShell } from "../kit/view-frame.js";
import { Feed, LARGEST_PAGE } from "./feed.js";

export interface FeedHandlers {
  /** Called when the pending items have changed. Receives at most 100 of them. */
  onChange(items: readonly InboxItem[], hasMorePending: boolean): void;
  /** Called when the daemon answers again after an outage. */
  onReconnect(): void;
}

export function useInboxFeed(client: Wireroom, { onChange, onReconnect }: FeedHandlers): Feed {
  const shell = useShell();
  const [feed] = useState(
    () =>
      new Feed(client, {
        pending(items, hasChanged) {
          const wasUnreachable = shell.state.unreachableSince !== undefined;
          if (hasChanged) onChange(items, items.length >= LARGEST_PAGE);
          shell.connected();
          if (wasUnreachable) onReconnect();
        },
        unreachable: () => shell.disconnected(),
        ended: (error) => shell.leave(error as Error),
      }),
  );
  useEffect(() => {
    void feed.run();
    return () => feed.stop();
  }, [feed]);
  return feed;
}
