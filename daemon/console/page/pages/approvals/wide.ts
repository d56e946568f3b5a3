/** Tells whether the list and the details of approvals are side by side (styles/approvals.css). */
import { signal } from "@preact/signals";

const query = matchMedia("(min-width: 60rem)");
export const isWide = signal(query.matches);
query.addEventListener("change", ({ matches }) => {
  isWide.value = matches;
});
