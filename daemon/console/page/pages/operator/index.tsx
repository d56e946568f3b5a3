/** The page on which an operator finds a handle or a wire. The URL stores the filters. */
import type { OperatorListHandlesHandle } from "@wireroom/sdk";
import { agent } from "../../app/clients.js";
import { keyIn, navigate, query, setQuery } from "../../app/router.js";
import { Address } from "../../parts/address.js";
import { AgentText } from "../../parts/agent-text.js";
import { counted } from "../../parts/count.js";
import { Fact } from "../../parts/fact.js";
import { SelectField, TextField } from "../../parts/field.js";
import { Form, useForm } from "../../parts/form.js";
import { Empty, List, useList } from "../../parts/list.js";
import { Show, useLoad } from "../../parts/load.js";
import { Time, TimeNote } from "../../parts/time.js";
import { operatorUrl } from "./frame.js";

const ENGINES = { sqlite: "SQLite", postgres: "PostgreSQL" };
const FILTERS = { all: "All", true: "Suspended", false: "Not suspended" };

export default function Operator({ as }: { as: string }) {
  return (
    <>
      <p>
        An operator is a handle that may read and remove any wire, and suspend any handle. To make one, run
        wireroom operator grant on the machine of the daemon.
      </p>
      <Status as={as} />
      <Search as={as} />
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
            <dl class="facts">
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
              <>
                <h3>Most wires in 24 hours</h3>
                <ul class="list">
                  {busiest_handles.map((handle) => (
                    <li key={handle.slug} class="row">
                      <Row handle={handle} as={as} />
                    </li>
                  ))}
                </ul>
              </>
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

function Search({ as }: { as: string }) {
  const { values, field } = useForm({ q: query.value.get("q") ?? "" });
  const find = () => {
    const text = values.q.trim();
    const wire = wireIdOf(text);
    if (wire === undefined) setQuery("q", text);
    else navigate(`/operator/wires/${wire}?as=${as}`);
  };
  return (
    <Form action="Find" run={find}>
      <TextField
        type="name"
        label="Find a handle or a wire"
        hint="A part of a handle or of its name, or the id or URI of a wire."
        {...field("q")}
      />
    </Form>
  );
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
  return (
    <>
      <SelectField
        label="Handles"
        value={suspended}
        options={FILTERS}
        onChange={(value) => setQuery("suspended", value === "all" ? "" : value)}
      />
      <List
        of={handles}
        empty={
          <Empty title="No handle found">
            <p>Another part of the name may find it. Retired handles are not listed.</p>
          </Empty>
        }
        keyOf={({ slug }) => slug}
        row="row"
        render={(handle) => <Row handle={handle} as={as} />}
      />
    </>
  );
}

function Row({ handle, as }: { handle: OperatorListHandlesHandle; as: string }) {
  const { slug, display_name, suspended_at, wires_last_day, created_at } = handle;
  return (
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
  );
}
