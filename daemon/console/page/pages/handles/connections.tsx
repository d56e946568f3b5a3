import { dashboard } from "../../app/clients.js";
import { type Params, urlOf } from "../../app/router.js";
import { AgentText, visible } from "../../parts/agent-text.js";
import { AskingButton } from "../../parts/dialog.js";
import { Empty } from "../../parts/empty.js";
import { List } from "../../parts/list.js";
import { useAll } from "../../parts/load.js";
import { Time } from "../../parts/time.js";
import { showToast } from "../../parts/toast.js";
import { HandleFrame } from "./frame.js";

export default function Connections({ params }: { params: Params }) {
  return (
    <HandleFrame slug={params.slug!} tab="connections">
      {({ slug }) => <Content slug={slug} />}
    </HandleFrame>
  );
}

function Content({ slug }: { slug: string }) {
  const connections = useAll(
    `connections ${slug}`,
    (signal) => dashboard.connections.list({ limit: 100 }, { signal }),
    ({ handle }) => handle === slug,
  );
  const empty = (
    <Empty title="No application is connected">
      <p>
        <a href={urlOf("handles", slug, "hosts")}>Connect an MCP host</a>
      </p>
    </Empty>
  );
  return (
    <List
      of={connections}
      empty={empty}
      keyOf={({ id }) => id}
      row="row"
      render={({ id, client_name, created_at, last_used_at }) => (
        <>
          <strong>
            <AgentText text={client_name} />
          </strong>
          <span class="quiet">
            Connected <Time at={created_at} />
          </span>
          {last_used_at !== null && (
            <span class="quiet">
              Last used <Time at={last_used_at} />
            </span>
          )}
          <span class="end">
            <AskingButton
              text="Disconnect"
              label={`Disconnect ${visible(client_name)}`}
              title={`Disconnect ${visible(client_name)}`}
              run={async () => {
                await dashboard.connections.revoke({ id });
                showToast("Disconnected.");
                connections.reload();
              }}
            >
              <p>
                Its tokens end at once, and it can no longer act as @{slug}. It can ask you for a new
                connection.
              </p>
            </AskingButton>
          </span>
        </>
      )}
    />
  );
}
