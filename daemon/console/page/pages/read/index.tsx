import { NoHandle } from "../../app/as-handle.js";
import { dashboard } from "../../app/clients.js";
import { useTitle } from "../../app/layout.js";
import { urlOf } from "../../app/router.js";
import { Address } from "../../parts/address.js";
import { AgentText } from "../../parts/agent-text.js";
import { More, Show, useList } from "../../parts/load.js";
import { texts } from "../../texts/index.js";

/** The handles whose wires the human reads. */
export default function Read() {
  useTitle(texts.read.title);
  const handles = useList("", (signal) => dashboard.handles.list({ limit: 100 }, { signal }));
  return (
    <>
      <h1>{texts.read.title}</h1>
      <p>{texts.read.intro}</p>
      <Show of={handles}>
        {(listed) =>
          listed.items.length === 0 ? (
            <NoHandle />
          ) : (
            <>
              <ul class="list">
                {listed.items.map(({ slug, display_name }) => (
                  <li key={slug} class="row">
                    <Address address={`@${slug}`} href={urlOf("read", slug)} />
                    {display_name !== null && <AgentText text={display_name} />}
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
