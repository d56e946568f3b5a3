import { useState } from "preact/hooks";
import { HOST_ENTRIES, type HostEntry } from "../../../../../src/mcp-hosts/entries.js";
import { type Params, urlOf } from "../../app/router.js";
import { Copy } from "../../parts/copy.js";
import { SelectField } from "../../parts/field.js";
import { HandleFrame } from "./frame.js";

const NAME = "wireroom";

export default function Hosts({ params }: { params: Params }) {
  return (
    <HandleFrame slug={params.slug!} tab="hosts">
      {({ slug }) => <HostConfiguration slug={slug} />}
    </HandleFrame>
  );
}

export function HostConfiguration({ slug }: { slug: string }) {
  const [id, setId] = useState(HOST_ENTRIES[0]!.id);
  const host = HOST_ENTRIES.find((each) => each.id === id)!;
  const url = `${location.origin}/mcp`;
  const usesUrl = host.signIn !== undefined;
  const text = configurationOf(
    host,
    usesUrl ? { url } : { command: "wireroom", args: ["mcp", "--as", `@${slug}`] },
  );
  return (
    <section class="sheet">
      <SelectField
        label="Application"
        value={id}
        options={HOST_ENTRIES.map((each) => [each.id, each.title] as const)}
        onChange={setId}
      />
      <p>Put this into {host.userFileText}:</p>
      <pre>{text}</pre>
      <div class="actions">
        <Copy text={text} what="the configuration" />
        {host.installLink && (
          <a class="button" href={host.installLink(NAME, url)}>
            Add to {host.title}
          </a>
        )}
      </div>
      {usesUrl ? (
        <p>
          Then: {host.signIn!(NAME)} A page asks as which handle the application acts: choose @{slug}.
        </p>
      ) : (
        <p>
          This application starts the command wireroom. Install it on that machine, and sign in there with
          wireroom login.
        </p>
      )}
      <p class="hint">
        An agent without a browser uses an API key instead, as the header “Authorization: Bearer …”.{" "}
        <a href={urlOf("handles", slug, "keys")}>Issue an API key</a>
      </p>
    </section>
  );
}

function configurationOf(host: HostEntry, connection: Parameters<HostEntry["entry"]>[0]): string {
  const entry = host.entry(connection);
  if (host.format === "json") return JSON.stringify({ [host.section]: { [NAME]: entry } }, null, 2);
  const values = Object.entries(entry).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  return [`[${host.section}.${NAME}]`, ...values].join("\n");
}
