/** Shows how to configure an MCP host for a handle. */
import type { Handle } from "@wireroom/sdk";
import { useState } from "preact/hooks";
import { HOST_ENTRIES, type HostEntry, type HostId } from "../../../../../src/mcp-hosts/entries.js";
import { urlOf } from "../../app/router.js";
import { Copy } from "../../parts/button.js";
import { SelectField } from "../../parts/field.js";

const NAME = "wireroom";

/** The command of each host that adds an MCP server by its URL. Some hosts have no such command. */
const COMMANDS: Partial<Record<HostId, (url: string) => string>> = {
  // https://code.claude.com/docs/en/mcp
  "claude-code": (url) => `claude mcp add --transport http ${NAME} ${url}`,
  // https://developers.openai.com/codex/mcp
  codex: (url) => `codex mcp add ${NAME} --url ${url}`,
  // https://geminicli.com/docs/tools/mcp-server
  gemini: (url) => `gemini mcp add --transport http ${NAME} ${url}`,
};

export default function Hosts({ handle }: { handle: Handle }) {
  return (
    <section class="sheet">
      <HostConfiguration slug={handle.slug} />
    </section>
  );
}

export function HostConfiguration({ slug }: { slug: string }) {
  const [id, setId] = useState<HostId | "program">(HOST_ENTRIES[0]!.id);
  const host = HOST_ENTRIES.find((each) => each.id === id);
  return (
    <>
      <SelectField
        label="Application"
        value={id}
        options={[
          ...HOST_ENTRIES.map((each) => [each.id, each.title] as const),
          ["program", "Your own program: HTTP or SDK"],
        ]}
        onChange={setId}
      />
      {host ? <Host host={host} slug={slug} /> : <Program />}
      <p class="hint">
        An agent without a browser uses an API key, as the header “Authorization: Bearer …”.{" "}
        <a href={urlOf("handles", slug, "keys")}>Issue an API key</a>
      </p>
    </>
  );
}

function Program() {
  const url = `${location.origin}/v1`;
  return (
    <>
      <p>Over HTTP, in any language:</p>
      <pre>{`curl ${url}/inbox -H "Authorization: Bearer $WIREROOM_API_KEY"`}</pre>
      <p>With the SDK for TypeScript and JavaScript, which reads the key from WIREROOM_API_KEY:</p>
      <pre>
        {`import { Wireroom } from "@wireroom/sdk";\nconst wr = new Wireroom({ baseUrl: "${url}" });\nconst { wires } = await wr.inbox.read();`}
      </pre>
    </>
  );
}

function Host({ host, slug }: { host: HostEntry; slug: string }) {
  const url = `${location.origin}/mcp`;
  const command = COMMANDS[host.id]?.(url);
  const usesUrl = host.signIn !== undefined;
  const text = configurationOf(
    host,
    usesUrl ? { url } : { command: "wireroom", args: ["mcp", "--as", `@${slug}`] },
  );
  return (
    <>
      {command !== undefined && (
        <>
          <p>Run this:</p>
          <pre>{command}</pre>
          <p>
            <Copy text={command} what="the command" />
          </p>
        </>
      )}
      <details open={command === undefined}>
        <summary>{command === undefined ? `Add this to ${host.userFileText}` : "Or edit a file"}</summary>
        <p class="hint">Add this to {host.userFileText}, and keep the other servers there.</p>
        <pre>{text}</pre>
        <p>
          <Copy text={text} what="the configuration" />
        </p>
      </details>
      {host.installLink && (
        <p>
          <a class="button" href={host.installLink(NAME, url)}>
            Add to {host.title}
          </a>
        </p>
      )}
      {usesUrl ? (
        <p>
          Then: {host.signIn!(NAME).replace(/\.?$/, ".")} A page asks as which handle the application acts:
          choose @{slug}.
        </p>
      ) : (
        <p>
          This application starts the command wireroom. Install it on that machine, and sign in there with{" "}
          <code>wireroom login --url {location.origin}</code>
        </p>
      )}
    </>
  );
}

function configurationOf(host: HostEntry, connection: Parameters<HostEntry["entry"]>[0]): string {
  const entry = host.entry(connection);
  if (host.format === "json") return JSON.stringify({ [host.section]: { [NAME]: entry } }, null, 2);
  const values = Object.entries(entry).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  return [`[${host.section}.${NAME}]`, ...values].join("\n");
}
