/** The page on which an operator finds a handle or a wire. The URL stores the filters. */
import { agent } from "../../app/clients.js";
import { keyIn, navigate, query, setQuery } from "../../app/router.js";
import { Address } from "../../parts/address.js";
import { AgentText } from "../../parts/agent-text.js";
import { counted } from "../../parts/count.js";
import { SearchForm } from "../../parts/editor/search-form.js";
import { Fact } from "../../parts/fact.js";
import { Select } from "../../parts/field.js";
import { Empty, List, useList } from "../../parts/list.js";
import { Show, useLoad } from "../../parts/load.js";
import { Time, TimeNote } from "../../parts/time.js";
import { operatorUrl } from "./frame.js";

const ENGINES = { sqlite: "SQLite", postgres: "PostgreSQL" };
const FILTERS = { all: "All handles", true: "Suspended", false: "Not suspended" };

export default function Operator({ as }: { as: string }) {
  return (
    <>
      <Status as={as} />
      <Handles as={as} />
    </>
  );
}

function Status({ as }: { as: string }) {
  const status = useLoad(`operator status ${as}`, (signal) => agent(as).operator.getStatus({ signal }));
  // The list of handles below already shows this error.
  if (status.error !== undefined) return null;
  return (
    <section class="sheet">
      <h2>Daemon</h2>
      <Show of={status}>
        {({ version, started_at, database, database_bytes, writable, busiest_handles, ...counts }) => (
          <>
            <dl class="facts figures">
              <Fact name="Version">{version}</Fact>
              <Fact name="Started">
                <Time at={started_at} />
              </Fact>
              <Fact name="Database">
                {ENGINES[database]}
                {database_bytes !== null && `, ${(database_bytes / 1e6).toFixed(1)} MB`}, schema{" "}
                {counts.schema_version} {!writable && <span class="tag bad">Cannot be written</span>}
              </Fact>
              <Fact name="Failed requests">{counts.failed_requests} since the start</Fact>
              <Fact name="Long polls">{counts.held_requests}</Fact>
              <Fact name="Waiting mails">{counts.waiting_mails}</Fact>
            </dl>
            {busiest_handles.length > 0 && (
              <p class="row">
                <span class="quiet">Most wires in 24 hours</span>
                {busiest_handles.map(({ slug, wires_last_day, suspended_at }) => (
                  <span key={slug}>
                    <Address address={`@${slug}`} href={operatorUrl(as, "handles", slug)} /> {wires_last_day}{" "}
                    {suspended_at !== null && <span class="tag bad">Suspended</span>}
                  </span>
                ))}
              </p>
            )}
          </>
        )}
      </Show>
    </section>
  );
}

function wireIdOf(text: string): string | undefined {
  const id = /\/wires\/([\w-]+)/.exec(text)?.[1] ?? text;
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id) ? id : undefined;
}

function Handles({ as }: { as: string }) {
  const q = query.value.get("q") ?? "";
  const suspended = keyIn(FILTERS, query.value.get("suspended")) ?? "all";
  const handles = useList(`operator ${as} ${suspended} ${q}`, (signal) =>
    agent(as).operator.listHandles(
      { ...(q !== "" && { q: q.slice(0, 100) }), ...(suspended !== "all" && { suspended }) },
      { signal },
    ),
  );
  const find = (text: string) => {
    const wire = wireIdOf(text);
    if (wire === undefined) setQuery("q", text);
    else navigate(`/operator/wires/${wire}?as=${as}`);
  };
  return (
    <>
      <SearchForm label="Find a handle or a wire, by name or id" run={find}>
        <Select
          aria-label="Handles"
          value={suspended}
          options={FILTERS}
          onChange={(value) => setQuery("suspended", value === "all" ? "" : value)}
        />
      </SearchForm>
      <List
        of={handles}
        empty={
          <Empty title="No handle found">
            <p>Another part of the name may find it. Retired handles are not listed.</p>
          </Empty>
        }
        keyOf={({ slug }) => slug}
        row="row"
        render={({ slug, display_name, suspended_at, wires_last_day, created_at }) => (
          <>
            <Address address={`@${slug}`} href={operatorUrl(as, "handles", slug)} isRow />
            {display_name !== null && <AgentText text={display_name} />}
            {suspended_at !== null && <span class="tag bad">Suspended</span>}
            {wires_last_day > 0 && (
              <span class="quiet">{counted(wires_last_day, "wire")} in 24 hours, sent or held</span>
            )}
            <span class="end">
              <TimeNote text="Created" at={created_at} />
            </span>
          </>
        )}
      />
    </>
  );
}
