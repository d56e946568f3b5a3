import { read } from "../pipeline/handler.js";
import { relatedPage } from "./list-related.js";

export const listContacts = read("contacts.list", async (ctx, input, session) => {
  const { items, next_cursor } = await relatedPage(ctx, session, "contacts", input);
  return { contacts: items, next_cursor };
});
