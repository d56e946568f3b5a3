import { useEffect } from "preact/hooks";
import { acting, reloadHandles } from "../../app/acting.js";
import { NoHandle, WithHandles } from "../../app/as-handle.js";
import { useTitle } from "../../app/layout.js";
import { BASE, urlOf } from "../../app/router.js";
import { AgentText } from "../../parts/agent-text.js";
import { Rows } from "../../parts/list.js";

export default function Handles() {
  useTitle("Handles");
  useEffect(() => void reloadHandles(), []);
  return (
    <>
      <h1 class="row">
        Handles
        {acting.value !== undefined && (
          <a class="button end" href={`${BASE}/new-handle`}>
            Create a handle
          </a>
        )}
      </h1>
      <WithHandles>
        {(handles) =>
          handles.length === 0 ? (
            <NoHandle />
          ) : (
            <Rows
              of={{ items: handles, more: undefined }}
              keyOf={({ id }) => id}
              row="row"
              render={({ slug, display_name, contact_policy, suspended }) => (
                <>
                  <a class="to address" href={urlOf("handles", slug)}>
                    @{slug}
                  </a>
                  {display_name !== null && <AgentText text={display_name} />}
                  {suspended && <span class="tag bad">Suspended</span>}
                  {contact_policy === "contacts_only" && (
                    <span class="tag end">Only contacts may write to it</span>
                  )}
                </>
              )}
            />
          )
        }
      </WithHandles>
    </>
  );
}
