import type { AuditEntry } from "@wireroom/sdk";
import { dashboard } from "../app/clients.js";
import { useTitle } from "../app/layout.js";
import { BASE, query, setQuery, urlOf } from "../app/router.js";
import { AgentText, visible } from "../parts/agent-text.js";
import { Empty } from "../parts/empty.js";
import { Field } from "../parts/field.js";
import { More, Show, useList, useLoad } from "../parts/load.js";
import { Time } from "../parts/time.js";
import { texts } from "../texts/index.js";

type Action = AuditEntry["action"];
const ACTIONS = Object.keys(texts.audit.actions) as Action[];

/** What happened to the account and its handles. The filters are in the address. */
export default function Audit() {
  useTitle(texts.sections.audit);
  const handles = useLoad("handles", (signal) => dashboard.handles.list({}, { signal }));
  // A retired handle is in no other list.
  const retired = useLoad("retired", (signal) =>
    dashboard.audit.list({ action: "handle.retired", limit: 100 }, { signal }),
  );
  const handle = query.value.get("handle") ?? "";
  const action = ACTIONS.find((each) => each === query.value.get("action"));
  const since = query.value.get("since") ?? "";
  const until = query.value.get("until") ?? "";
  return (
    <>
      <h1>{texts.sections.audit}</h1>
      <Filters
        handles={handles.data?.items.map(({ slug }) => slug) ?? []}
        retired={[...new Set(retired.data?.items.flatMap((entry) => entry.handle ?? []))]}
        handle={handle}
        action={action}
        since={since}
        until={until}
      />
      <Entries
        key={`${handle} ${action} ${since} ${until}`}
        handle={handle}
        action={action}
        since={since}
        until={until}
      />
    </>
  );
}

interface Filter {
  handle: string;
  action: Action | undefined;
  /** Days, such as 2026-01-31. */
  since: string;
  until: string;
}

function Filters({
  handles,
  retired,
  handle,
  action,
  since,
  until,
}: Filter & { handles: readonly string[]; retired: readonly string[] }) {
  return (
    <div class="grid">
      <Field label={texts.audit.handle}>
        {(props) => (
          <select
            {...props}
            value={handle}
            onChange={(event) => setQuery("handle", event.currentTarget.value)}
          >
            <option value="">{texts.audit.allHandles}</option>
            {handles.map((slug) => (
              <option key={slug} value={slug}>
                @{slug}
              </option>
            ))}
            {retired.map((slug) => (
              <option key={slug} value={slug}>
                {texts.audit.retired(`@${slug}`)}
              </option>
            ))}
            {handle !== "" && !handles.includes(handle) && !retired.includes(handle) && (
              <option value={handle}>@{handle}</option>
            )}
          </select>
        )}
      </Field>
      <Field label={texts.audit.action}>
        {(props) => (
          <select
            {...props}
            value={action ?? ""}
            onChange={(event) => setQuery("action", event.currentTarget.value)}
          >
            <option value="">{texts.audit.allActions}</option>
            {ACTIONS.map((each) => (
              <option key={each} value={each}>
                {texts.audit.actions[each]}
              </option>
            ))}
          </select>
        )}
      </Field>
      {(["since", "until"] as const).map((name) => (
        <Field key={name} label={texts.audit[name]}>
          {(props) => (
            <input
              {...props}
              type="date"
              value={name === "since" ? since : until}
              onChange={(event) => setQuery(name, event.currentTarget.value)}
            />
          )}
        </Field>
      ))}
    </div>
  );
}

function Entries({ handle, action, since, until }: Filter) {
  const list = useList(`${handle} ${action} ${since} ${until}`, (signal) =>
    dashboard.audit.list(
      {
        action,
        ...(handle !== "" && { handle }),
        ...(since !== "" && { since: startOf(since) }),
        // Until the end of the day.
        ...(until !== "" && { until: startOf(until, 1) }),
      },
      { signal },
    ),
  );
  return (
    <Show of={list}>
      {(listed) =>
        listed.items.length === 0 ? (
          <Empty title={texts.audit.none}>
            <p>
              <a href={`${BASE}/audit`}>{texts.audit.showAll}</a>
            </p>
          </Empty>
        ) : (
          <>
            <ul class="list">
              {runsOf(listed.items).map((run) => (
                <Entry key={run[0].id} entry={run[0]} times={run.length} />
              ))}
            </ul>
            <More of={listed} />
          </>
        )
      }
    </Show>
  );
}

/** Returns the start of a day of the human's time zone. */
function startOf(day: string, daysLater = 0): string {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  return new Date(year, month - 1, date + daysLater).toISOString();
}

type Run = [AuditEntry, ...AuditEntry[]];

/**
 * Joins entries that follow each other and say the same, such as access tokens that the console itself has
 * asked for.
 */
function runsOf(entries: readonly AuditEntry[]): Run[] {
  const runs: Run[] = [];
  const same = (a: AuditEntry, b: AuditEntry) =>
    (["action", "actor", "handle", "subject", "outcome", "reason"] as const).every(
      (field) => a[field] === b[field],
    );
  for (const entry of entries) {
    const last = runs.at(-1);
    if (last && same(last[0], entry)) last.push(entry);
    else runs.push([entry]);
  }
  return runs;
}

function Entry({ entry, times }: { entry: AuditEntry; times: number }) {
  const { action, actor, handle, subject, outcome, reason, at, request_id } = entry;
  return (
    <li class="row">
      <strong>{texts.audit.actions[action] ?? action}</strong>
      {times > 1 && <span class="tag">{texts.audit.times(times)}</span>}
      <bdi>{visible(subject)}</bdi>
      {handle !== null && `@${handle}` !== subject && <a href={urlOf("handles", handle)}>@{handle}</a>}
      <span class="quiet">{texts.audit.by(actor)}</span>
      {outcome !== "ok" && <span class="tag bad">{outcome}</span>}
      <span
        class="quiet end"
        title={request_id === null ? undefined : `${texts.problem.requestId} ${request_id}`}
      >
        <Time at={at} />
      </span>
      {reason !== null && (
        <span class="whole">
          {texts.audit.reason} <AgentText text={reason} />
        </span>
      )}
    </li>
  );
}
