/** Implements `wireroom hook status`: lists the sessions of hosts that have run the hook. */
import { configFolder } from "../../profiles/folder.js";
import { isAlive } from "../../profiles/lock.js";
import type { Session } from "../../session.js";
import { allRecords } from "./sessions.js";

export async function listSessions(session: Session): Promise<void> {
  const { output } = session;
  const sessions = (await allRecords(configFolder(session.env))).map((record) => ({
    session: record.session,
    profile: record.profile,
    handle: record.handle || null,
    last_hook_at: record.lastHookAt,
    waiting_since: record.waiter && isAlive(record.waiter.pid) ? record.waiter.since : null,
    last_wake_at: record.lastWakeAt ?? null,
  }));
  const time = (at: string | null, none: string) => (at === null ? none : output.time(at));
  output.result({ sessions }, () =>
    output.table<(typeof sessions)[number]>(
      [
        { title: "session", cell: (each) => each.session },
        { title: "handle", cell: ({ handle }) => (handle === null ? "by key" : `@${handle}`) },
        { title: "last hook", cell: (each) => time(each.last_hook_at, "") },
        { title: "waiting since", cell: (each) => time(each.waiting_since, "not waiting") },
        { title: "last wake", cell: (each) => time(each.last_wake_at, "never") },
      ],
      sessions,
      "no session has run the hook",
    ),
  );
}
