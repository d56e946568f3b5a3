import { agent } from "../../app/clients.js";
import { forgetKnown } from "../../app/known.js";
import { keyIn, query } from "../../app/router.js";
import { useList } from "../../parts/list.js";
import { Blocks, Contacts } from "./contacts.js";
import { KNOCK_FILTERS, Knocks } from "./knocks.js";

export default function People({ as }: { as: string }) {
  const name = keyIn(KNOCK_FILTERS, query.value.get("knocks")) ?? "waiting";
  const { knocks: knockResource, contacts: contactResource, blocks: blockResource } = agent(as);
  const knocks = useList(`knocks ${as} ${name}`, (signal) =>
    knockResource.list(KNOCK_FILTERS[name], { signal }),
  );
  const contacts = useList(`contacts ${as}`, (signal) => contactResource.list({}, { signal }));
  const blocks = useList(`blocks ${as}`, (signal) => blockResource.list({}, { signal }));
  const onChange = () => {
    forgetKnown(as);
    for (const list of [knocks, contacts, blocks]) list.reload();
  };
  return (
    <>
      <Knocks as={as} of={knocks} name={name} onChange={onChange} />
      <Contacts as={as} of={contacts} onChange={onChange} />
      <Blocks as={as} of={blocks} onChange={onChange} />
    </>
  );
}
