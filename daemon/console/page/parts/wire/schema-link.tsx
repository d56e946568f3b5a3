import { useState } from "preact/hooks";
import { agent } from "../../app/clients.js";
import { Button } from "../button.js";
import { Dialog } from "../dialog.js";
import { JsonTree } from "../json-tree.js";
import { Show, useLoad } from "../load.js";

/** @param as the human's handle that reads the schema */
export function SchemaLink({ schema, as }: { schema: string; as: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="link" onClick={() => setOpen(true)}>
        <bdi>{schema}</bdi>
      </Button>
      {isOpen && (
        <Dialog title={`Schema ${schema}`} onClose={() => setOpen(false)}>
          <Content schema={schema} as={as} />
          <div class="actions">
            <Button onClick={() => setOpen(false)}>Close</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

function Content({ schema, as }: { schema: string; as: string }) {
  const record = useLoad(`schema ${as} ${schema}`, (signal) =>
    agent(as).schemas.get({ ref: schema }, { signal }),
  );
  return <Show of={record}>{({ json_schema }) => <JsonTree value={json_schema} depth={-3} />}</Show>;
}
