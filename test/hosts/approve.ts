/** The human at the authorization page, in a browser without script. */
import { Browser, type Page } from "../harness/browser.js";
import { EMAIL, PASSWORD, type World } from "./world.js";

/** The most pages between the authorization request and the client. */
const MOST_PAGES = 5;

/** Signs in and approves the client for @alice. Returns the URL to which the browser is sent in the end. */
export async function approveAsHuman({ origin }: World, url: string): Promise<string> {
  const isClient = (target: string) => !target.startsWith(`${origin}/`);
  const browser = new Browser(isClient);
  let page = await browser.get(url);
  for (let n = 0; n < MOST_PAGES && !isClient(page.url); n++)
    page = await browser.submit(page, inputFor(page), formOf(page));
  if (!isClient(page.url))
    throw new Error(`the page ${addressOf(page)} is not the client's: ${textOf(page)}`);
  return page.url;
}

function inputFor(page: Page): Record<string, string> {
  if (page.text.includes('name="password"')) return { email: EMAIL, password: PASSWORD, action: "sign-in" };
  if (page.text.includes('value="approve"')) return { handle: "alice", action: "approve" };
  throw new Error(`unknown page ${addressOf(page)}, status ${page.status}: ${textOf(page)}`);
}

/**
 * Returns the index of the form that signs in or approves. The first one of the consent page changes the
 * account.
 */
function formOf({ text }: Page): number {
  const forms = text.split("<form").slice(1);
  return Math.max(
    0,
    forms.findIndex((form) => form.includes('value="approve"')),
  );
}

function textOf({ text }: Page): string {
  return text
    .replace(/<style.*?<\/style>/gs, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .slice(0, 300);
}

const addressOf = ({ url }: Page) => url.split("?")[0];
