import type { Handle } from "@wireroom/sdk";
import { dashboard } from "../../app/clients.js";
import { urlOf } from "../../app/router.js";
import { AgentText, visible } from "../../parts/agent-text.js";
import { AskingButton } from "../../parts/dialog.js";
import { Empty, List } from "../../parts/list.js";
import { TimeNote } from "../../parts/time.js";
import { showToast } from "../../parts/toast.js";
import { useAccess } from "./keys.js";

export default function Connections({ handle: { slug } }: { handle: Handle }) {
  const { data, ...access } = useAccess();
  const items = data?.connections.filter(({ handle }) => handle === slug);
  const empty = (
    <Empty title="No application is connected">
      <a href={urlOf("handles", slug, "hosts")}>Connect an MCP host</a>
    </Empty>
  );
  return (
    <List
      of={{ ...access, data: items && { items, more: undefined } }}
      empty={empty}
      keyOf={({ id }) => id}
      row="row"
      render={({ id, client_name, created_at, last_used_at }) => (
        <>
          <strong>
            <AgentText text={client_name} />
          </strong>
          <TimeNote text="Connected" at={created_at} />
          {last_used_at !== null && <TimeNote text="Last used" at={last_used_at} />}
          <span class="end">
            <AskingButton
              text="Disconnect"
              label={`Disconnect ${visible(client_name)}`}
              title={`Disconnect ${visible(client_name)}`}
              run={async () => {
                await dashboard.connections.revoke({ id });
                showToast("Disconnected.");
                access.reload();
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
