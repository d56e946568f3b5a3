import { useState } from "preact/hooks";
import { reloadHandles } from "../../app/acting.js";
import { NoHandle } from "../../app/as-handle.js";
import { dashboard } from "../../app/clients.js";
import { useTitle } from "../../app/layout.js";
import { BASE, navigate, urlOf } from "../../app/router.js";
import { AgentText } from "../../parts/agent-text.js";
import { Form } from "../../parts/form.js";
import { List, useList } from "../../parts/load.js";
import { isSlug, SlugField } from "./slug-field.js";

const POLICIES = { open: "Every handle may write", contacts_only: "Only contacts may write" };

/** Lists the human's handles. */
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
        {({ slug, display_name, contact_policy, suspended }) => (
          <li key={slug} class="row">
            <a class="to address" href={urlOf("handles", slug)}>
              @{slug}
            </a>
            {display_name !== null && <AgentText text={display_name} />}
            {suspended && <span class="tag bad">Suspended</span>}
            <span class="tag end">{POLICIES[contact_policy]}</span>
          </li>
        )}
      </List>
    </>
  );
}

export function NewHandle() {
  useTitle("Create a handle");
  const [slug, setSlug] = useState("");
  const create = async () => {
    await dashboard.handles.create({ slug });
    await reloadHandles();
    navigate(`/handles/${slug}/keys`);
  };
  return (
    <>
      <h1>Create a handle</h1>
      <Form action="Create a handle" isReady={isSlug(slug)} run={create}>
        <SlugField slug={slug} onInput={setSlug} />
        <p class="hint">
          A handle is permanent: it cannot be renamed, and nobody can use its name again after it is retired.
        </p>
      </Form>
    </>
  );
}
