import { BASE } from "../app/router.js";

/** An address of a handle or a space, with a link to its view where the console has one. */
export function Address({ address, href }: { address: string; href?: string }) {
  return href === undefined ? (
    <bdi class="address">{address}</bdi>
  ) : (
    <a class="address" href={href.startsWith("/") ? href : `${BASE}/${href}`}>
      <bdi>{address}</bdi>
    </a>
  );
}
