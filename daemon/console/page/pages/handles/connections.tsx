import type { Connection } from "@wireroom/sdk";
import { useState } from "preact/hooks";
import { dashboard } from "../../app/clients.js";
import { type Params, urlOf } from "../../app/router.js";
import { AgentText, visible } from "../../parts/agent-text.js";
import { Button } from "../../parts/button.js";
import { Confirmation } from "../../parts/dialog.js";
import { Empty } from "../../parts/empty.js";
import { Show, useLoad } from "../../parts/load.js";
import { Time } from "../../parts/time.js";
import { showToast } from "../../parts/toast.js";
import { texts } from "../../texts/index.js";
import { HandleFrame } from "./frame.js";

export default function Connections({ params }: { params: Params }) {
  return (
    <HandleFrame slug={params.slug!} tab="connections">
      {({ slug }) => <Content slug={slug} />}
    </HandleFrame>
  );
}

/** The applications that act for a handle with the human's approval. */
function Content({ slug }: { slug: string }) {
  const connections = useLoad(slug, async (signal) => {
    const all: Connection[] = [];
    for await (const each of dashboard.connections.list({ limit: 100 }, { signal }))
      if (each.handle === slug) all.push(each);
    return all;
  });
  const [revoking, setRevoking] = useState<Connection>();
  return (
    <>
      <Show of={connections}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={texts.connections.none}>
              <p>
                <a href={urlOf("handles", slug, "hosts")}>{texts.connections.noneText}</a>
              </p>
            </Empty>
          ) : (
            <ul class="list">
              {list.map((each) => (
                <li key={each.id} class="row">
                  <strong>
                    <AgentText text={each.client_name} />
                  </strong>
                  <span class="quiet">
                    {texts.connections.created} <Time at={each.created_at} />
                  </span>
                  {each.last_used_at !== null && (
                    <span class="quiet">
                      {texts.keys.lastUsed} <Time at={each.last_used_at} />
                    </span>
                  )}
                  <span class="end">
                    <Button
                      kind="danger"
                      label={texts.connections.endOf(visible(each.client_name))}
                      onClick={() => setRevoking(each)}
                    >
                      {texts.connections.end}
                    </Button>
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Show>
      {revoking && (
        <Confirmation
          title={texts.connections.endOf(visible(revoking.client_name))}
          action={texts.connections.end}
          run={async () => {
            await dashboard.connections.revoke({ id: revoking.id });
            showToast(texts.connections.ended);
            connections.reload();
          }}
          onClose={() => setRevoking(undefined)}
        >
          <p>{texts.connections.endText(slug)}</p>
        </Confirmation>
      )}
    </>
  );
}
