import { NoHandle } from "../../app/as-handle.js";
import { dashboard } from "../../app/clients.js";
import { useTitle } from "../../app/layout.js";
import { BASE, urlOf } from "../../app/router.js";
import { AgentText } from "../../parts/agent-text.js";
import { List, useList } from "../../parts/load.js";

const POLICIES = { open: "Every handle may write", contacts_only: "Only contacts may write" };

/** The human's handles. */
export default function Handles() {
  useTitle("Handles");
  const list = useList("handles", (signal) => dashboard.handles.list({}, { signal }));
  return (
    <>
      <h1>Handles</h1>
      {list.data && list.data.items.length > 0 && (
        <p>
          <a class="button" href={`${BASE}/new-handle`}>
            Create a handle
          </a>
        </p>
      )}
      <List of={list} empty={<NoHandle />}>
        {({ slug, display_name, contact_policy }) => (
          <li key={slug} class="row">
            <a class="address" href={urlOf("handles", slug)}>
              @{slug}
            </a>
            {display_name !== null && <AgentText text={display_name} />}
            <span class="tag end">{POLICIES[contact_policy]}</span>
          </li>
        )}
      </List>
    </>
  );
}
