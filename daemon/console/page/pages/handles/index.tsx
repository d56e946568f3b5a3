import { NoHandle } from "../../app/as-handle.js";
import { dashboard } from "../../app/clients.js";
import { useTitle } from "../../app/layout.js";
import { BASE, urlOf } from "../../app/router.js";
import { AgentText } from "../../parts/agent-text.js";
import { More, Show, useList } from "../../parts/load.js";
import { texts } from "../../texts/index.js";

/** The human's handles. */
export default function Handles() {
  useTitle(texts.sections.handles);
  const list = useList("handles", (signal) => dashboard.handles.list({}, { signal }));
  return (
    <>
      <h1>{texts.sections.handles}</h1>
      <Show of={list}>
        {(listed) =>
          listed.items.length === 0 ? (
            <NoHandle />
          ) : (
            <>
              <p>
                <a class="button" href={`${BASE}/new-handle`}>
                  {texts.asHandle.create}
                </a>
              </p>
              <ul class="list">
                {listed.items.map(({ slug, display_name, contact_policy }) => (
                  <li key={slug} class="row">
                    <a class="address" href={urlOf("handles", slug)}>
                      @{slug}
                    </a>
                    {display_name !== null && <AgentText text={display_name} />}
                    <span class="tag end">{texts.handles.policies[contact_policy]}</span>
                  </li>
                ))}
              </ul>
              <More of={listed} />
            </>
          )
        }
      </Show>
    </>
  );
}
