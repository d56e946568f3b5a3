import { NoHandle } from "../../app/as-handle.js";
import { dashboard } from "../../app/clients.js";
import { useTitle } from "../../app/layout.js";
import { urlOf } from "../../app/router.js";
import { Address } from "../../parts/address.js";
import { AgentText } from "../../parts/agent-text.js";
import { List, useList } from "../../parts/load.js";

export default function Read() {
  useTitle("Read");
  const handles = useList("", (signal) => dashboard.handles.list({ limit: 100 }, { signal }));
  return (
    <>
      <h1>Read</h1>
      <p>Choose a handle. Reading here changes nothing for the agent: what is new for it stays new.</p>
      <List of={handles} empty={<NoHandle />}>
        {({ slug, display_name }) => (
          <li key={slug} class="row">
            <Address address={`@${slug}`} href={urlOf("read", slug)} />
            {display_name !== null && <AgentText text={display_name} />}
          </li>
        )}
      </List>
    </>
  );
}
