/** The page of the audit log, with filters in its address. */
import type { AuditEntry } from "@wireroom/sdk";
import { handles } from "../app/acting.js";
import { dashboard } from "../app/clients.js";
import { nowMs } from "../app/clock.js";
import { useTitle } from "../app/layout.js";
import { BASE, keyIn, query, setQuery, urlAs, urlOf } from "../app/router.js";
import { AgentText } from "../parts/agent-text.js";
import { Button } from "../parts/button.js";
import { SelectField, TextField } from "../parts/field.js";
import { Empty, List, useList } from "../parts/list.js";
import { useLoad } from "../parts/load.js";
import { exactTime } from "../parts/time.js";
import { useAccess } from "./handles/keys.js";
import { operatorUrl } from "./operator/frame.js";

const ACTIONS: Readonly<Record<AuditEntry["action"], string>> = {
  "handle.created": "Handle created",
  "handle.retired": "Handle retired",
  "handle.suspended": "Handle suspended",
  "handle.restored": "Handle restored",
  "account.suspended": "Account suspended",
  "account.restored": "Account restored",
  "policy.changed": "Inbox policy changed",
  "key.issued": "Key issued",
  "key.revoked": "Key revoked",
  "connection.created": "Application connected",
  "connection.revoked": "Application disconnected",
  "token.issued": "Access token issued",
  "egress.changed": "Egress policy changed",
  "egress.blocked": "Sending or publishing blocked",
  "approval.approved": "Approved",
  "approval.rejected": "Rejected",
  "knock.answered": "Knock answered",
  "wire.removed": "Wire removed",
  "wire.read": "Read by an operator",
  "space.transferred": "Space given away",
  "space.received": "Space received",
  "retention.changed": "Retention changed",
  "data.exported": "Data exported",
  "session.local": "Signed in on the daemon's machine",
  "ticket.issued": "Link to the console issued",
  "sign_in.ended": "Signed out elsewhere",
  "account.deleted": "Account deleted",
  "operator.granted": "Operator granted",
  "operator.revoked": "Operator revoked",
};

const DAY_MS = 86_400_000;
/** Days in this format are the values of date fields. */
const ISO_DAY = new Intl.DateTimeFormat("sv");

interface Filter {
  handle: string;
  action: AuditEntry["action"] | undefined;
  /** First and last day, such as 2026-01-31. */
  since: string;
  until: string;
}

export default function Audit() {
  useTitle("Audit log");
  // Read the retired handles from the audit log, because no list of handles contains them.
  const retired = useLoad("retired", (signal) =>
    dashboard.audit.list({ action: "handle.retired", limit: 100 }, { signal }),
  );
  const filter: Filter = {
    handle: query.value.get("handle") ?? "",
    action: keyIn(ACTIONS, query.value.get("action")),
    since: query.value.get("since") ?? "",
    until: query.value.get("until") ?? "",
  };
  const names = new Map([["", "All handles"]]);
  for (const { slug } of handles.value ?? []) names.set(slug, `@${slug}`);
  for (const { handle: slug } of retired.data?.items ?? []) if (slug) names.set(slug, `@${slug} (retired)`);
  if (!names.has(filter.handle)) names.set(filter.handle, `@${filter.handle}`);
  return (
    <>
      <h1>Audit log</h1>
      <div class="grid">
        <SelectField
          label="Handle"
          value={filter.handle}
          options={[...names]}
          onChange={(slug) => setQuery("handle", slug)}
        />
        <SelectField
          label="What happened"
          value={filter.action ?? ""}
          options={{ "": "Everything", ...ACTIONS }}
          onChange={(value) => setQuery("action", value)}
        />
        <TextField label="From" type="date" value={filter.since} onChange={(day) => setQuery("since", day)} />
        <TextField label="To" type="date" value={filter.until} onChange={(day) => setQuery("until", day)} />
      </div>
      <p class="row">
        <Button
          kind="link"
          onClick={() => {
            for (const end of ["since", "until"]) setQuery(end, ISO_DAY.format(nowMs() - DAY_MS));
          }}
        >
          Yesterday
        </Button>
      </p>
      <Entries key={Object.values(filter).join(" ")} {...filter} />
    </>
  );
}

function Entries({ handle, action, since, until }: Filter) {
  const list = useList(`audit ${handle} ${action} ${since} ${until}`, (signal) =>
    dashboard.audit.list(
      {
        // By default, hide the entries about tokens, because the console itself gets one for each handle that
        // it acts as.
        ...(action ? { action } : { except: "token.issued" }),
        ...(handle !== "" && { handle }),
        ...(since !== "" && { since: startOf(since) }),
        // Include the whole last day.
        ...(until !== "" && { until: startOf(until, 1) }),
      },
      { signal },
    ),
  );
  const names = new Map(
    useAccess().data?.keys.map(({ id, name, prefix }) => [`key:${id}`, name ?? `${prefix}…`]),
  );
  const empty = (
    <Empty title="No entries">
      <a href={`${BASE}/audit`}>Show all entries</a>
    </Empty>
  );
  return (
    <List
      of={list}
      empty={empty}
      keyOf={({ id }) => id}
      row="entry"
      render={(entry) => <Entry entry={entry} name={names.get(entry.subject)} />}
    />
  );
}

function startOf(day: string, daysLater = 0): string {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  return new Date(year, month - 1, date + daysLater).toISOString();
}

/** What the page calls the actors other than handles. */
const ACTORS: Readonly<Record<string, string>> = { human: "you", host: "the host" };

/** @param name what the human calls the subject, if the entry itself has only an id */
function Entry({ entry, name }: { entry: AuditEntry; name: string | undefined }) {
  const { action, actor, handle, subject, outcome, detail, reason, at, request_id } = entry;
  const [, kind, id] = /^([\w-]+):(.+)$/.exec(subject) ?? [];
  // An operator sees the wires of others only on the operator pages.
  const wireUrl = `@${handle}` === actor ? operatorUrl : urlAs;
  const href =
    kind === "approval"
      ? `${urlOf("approvals", id!)}?status=${action.slice("approval.".length)}`
      : kind === "wire" && handle !== null && wireUrl(handle, "wires", id!);
  const isOther = !kind && subject !== `@${handle}`;
  // Fields of a policy, such as `inbox_rule`, as words.
  const about = [name ?? (isOther ? subject : null), kind ? detail : detail?.replaceAll("_", " ")];
  return (
    <>
      <strong>{ACTIONS[action] ?? action}</strong>
      <span class="row">
        {handle !== null && (
          <a class="address" href={urlOf("handles", handle)}>
            @{handle}
          </a>
        )}
        {about.map((text) => text && <AgentText key={text} text={text} />)}
        {href && <a href={href}>Show</a>}
        {outcome !== "ok" && action !== "egress.blocked" && <span class="tag bad">{outcome}</span>}
        {reason !== null && (
          <span class="whole">
            Reason: <AgentText text={reason} />
          </span>
        )}
      </span>
      <span class="quiet">by {ACTORS[actor] ?? actor}</span>
      <span class="quiet" title={request_id === null ? undefined : `Request id: ${request_id}`}>
        {exactTime(Date.parse(at))}
      </span>
    </>
  );
}
