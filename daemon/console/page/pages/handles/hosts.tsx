import { useState } from "preact/hooks";
import { HOST_ENTRIES, type HostEntry } from "../../../../../src/mcp-hosts/entries.js";
import { type Params, urlOf } from "../../app/router.js";
import { Copy } from "../../parts/copy.js";
import { Field } from "../../parts/field.js";
import { texts } from "../../texts/index.js";
import { HandleFrame } from "./frame.js";

const NAME = "wireroom";

/** What to paste into the configuration of an MCP host. */
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
      <Field label={texts.hosts.host}>
        {(props) => (
          <select
            {...props}
            value={id}
            onChange={(event) => setId(event.currentTarget.value as HostEntry["id"])}
          >
            {HOST_ENTRIES.map((each) => (
              <option key={each.id} value={each.id}>
                {each.title}
              </option>
            ))}
          </select>
        )}
      </Field>
      <p>{texts.hosts.paste(host.userFileText)}</p>
      <pre>{text}</pre>
      <div class="actions">
        <Copy text={text} what={texts.hosts.configuration} />
        {host.installLink && (
          <a class="button" href={host.installLink(NAME, url)}>
            {texts.hosts.install(host.title)}
          </a>
        )}
      </div>
      {usesUrl ? (
        <p>
          {texts.hosts.step(host.signIn!(NAME))} {texts.hosts.choose(slug)}
        </p>
      ) : (
        <p>{texts.hosts.bridge}</p>
      )}
      <p class="hint">
        {texts.hosts.withKey} <a href={urlOf("handles", slug, "keys")}>{texts.keys.issue}</a>
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
