/** Input fields of a read that callers of `listen` or `work` may set, such as `brief`. */
import type { InboxReadInput } from "../../generated/inbox.js";
import type { SpacesFeedInput } from "../../generated/spaces.js";
import type { ThreadsGetInput } from "../../generated/threads.js";
import type { WorkOptions } from "../work/options.js";
import type { ListenOptions } from "./listen.js";
import type { WiresListenOptions } from "./wires-log.js";

/** Fields that `listen` and `work` set themselves. */
type Own = "id" | "slug" | "cursor" | "limit" | "wait" | "order";

export type InboxFilter = Omit<InboxReadInput, Own>;
export type SpaceFilter = Omit<SpacesFeedInput, Own>;
export type ThreadFilter = Omit<ThreadsGetInput, Own>;

/** Options of `listen` and `work` that are not input fields of the read. */
const OPTIONS: Record<keyof (ListenOptions & WorkOptions<never> & WiresListenOptions), true> = {
  signal: true,
  pageSize: true,
  wait: true,
  timeout: true,
  onRetry: true,
  onRead: true,
  cursors: true,
  start: true,
  concurrency: true,
  onError: true,
  once: true,
  window: true,
  onFull: true,
  pollInterval: true,
};

export function filterOf<Filter extends object>(options: Filter): Filter {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !(name in OPTIONS))) as Filter;
}
