import { knownBy } from "../app/known.js";
import { lookAlike } from "../app/look-alike.js";
import { AgentText } from "./agent-text.js";

interface AddressProps {
  address: string;
  href?: string;
  isRow?: boolean;
}

/** @param isRow whether a click anywhere in the list row follows this link */
export function Address({ address, href, isRow = false }: AddressProps) {
  return href === undefined ? (
    <bdi class="address">{address}</bdi>
  ) : (
    <a class={isRow ? "to address" : "address"} href={href}>
      <bdi>{address}</bdi>
    </a>
  );
}

interface OtherHandle {
  slug: string;
  /** The human's handle for which the view is shown. */
  as: string;
}

/** @param withName whether to show the display name, too, if the switchboard lists it */
export function HandleName({ slug, as, withName = false }: OtherHandle & { withName?: boolean }) {
  const name = withName && knownBy(as).value?.names.get(slug);
  return (
    <>
      <Address address={`@${slug}`} />
      {name && <AgentText text={name} />}
      <LookAlike slug={slug} as={as} />
    </>
  );
}

/** Warns if the handle looks like another handle that the human knows. */
export function LookAlike({ slug, as }: OtherHandle) {
  const known = knownBy(as).value;
  const other = known && !known.own.has(slug) ? lookAlike(slug, known.shapes) : undefined;
  return other === undefined ? null : <span class="tag bad">looks like @{other}, but is another handle</span>;
}
