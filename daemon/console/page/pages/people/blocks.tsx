import type { BlocksListBlock } from "@wireroom/sdk";
import { agent } from "../../app/clients.js";
import { Button } from "../../parts/button.js";
import type { Listed, Loaded } from "../../parts/load.js";
import { HandleForm } from "./handle-form.js";
import { HandleList } from "./handle-list.js";

export function Blocks({
  as,
  of,
  onChange,
}: {
  as: string;
  of: Loaded<Listed<BlocksListBlock>>;
  onChange: () => void;
}) {
  return (
    <section>
      <h2>Blocked</h2>
      <HandleList
        as={as}
        of={of}
        empty="No handle is blocked."
        buttonOf={(handle) => (
          <Button
            label={`Unblock @${handle}`}
            onClick={async () => {
              await agent(as).blocks.remove({ handle });
              onChange();
            }}
          >
            Unblock
          </Button>
        )}
      />
      <HandleForm
        title="Block a handle"
        action="Block"
        hint={`It can no longer send wires and knocks to @${as}. It is not told.`}
        run={async (handle) => {
          await agent(as).blocks.add({ handle });
          onChange();
        }}
      />
    </section>
  );
}
