/** A browser without a screen: cookies with their paths, redirects, forms. Enough to sign in as a person would. */
export interface Page {
  url: string;
  status: number;
  headers: Headers;
  text: string;
}

interface Cookie {
  value: string;
  path: string;
}

interface Form {
  action: string;
  fields: Record<string, string>;
}

export class Browser {
  readonly cookies = new Map<string, Cookie>();

  /** `leave(url)` says which redirects are not followed, such as those to a native application. */
  constructor(private readonly leave: (url: string) => boolean = () => false) {}

  get(url: string): Promise<Page> {
    return this.go(url, {});
  }

  /** Submits the page's form of that index, as the button `button=value` would. */
  submit(page: Page, fields: Record<string, string>, form = 0): Promise<Page> {
    const { action, fields: hidden } = formsOf(page)[form] as Form;
    return this.go(action, {
      method: "POST",
      headers: { origin: new URL(page.url).origin },
      body: new URLSearchParams({ ...hidden, ...fields }),
    });
  }

  private async go(url: string, init: RequestInit): Promise<Page> {
    const headers = { ...init.headers, accept: "text/html", cookie: this.cookieHeader(url) };
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) this.keep(line, url);
    const location = response.headers.get("location");
    if (location === null || response.status < 300 || response.status > 399) {
      return { url, status: response.status, headers: response.headers, text: await response.text() };
    }
    const next = new URL(location, url).href;
    if (this.leave(next)) return { url: next, status: response.status, headers: response.headers, text: "" };
    return this.go(next, {});
  }

  private cookieHeader(url: string): string {
    const { pathname } = new URL(url);
    const sent = [...this.cookies].filter(
      ([, { path }]) => pathname === path || pathname.startsWith(slash(path)),
    );
    return sent.map(([key, { value }]) => `${key.split("@")[0]}=${value}`).join("; ");
  }

  private keep(line: string, url: string): void {
    const [pair = "", ...attributes] = line.split(/; */);
    const [name = "", value = ""] = pair.split(/=(.*)/s);
    const attribute = (wanted: string) =>
      attributes.find((part) => part.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1);
    const path = attribute("path") ?? new URL(url).pathname;
    const expires = attribute("expires");
    const key = `${name}@${path}`;
    if (expires && Date.parse(expires) <= Date.now()) this.cookies.delete(key);
    else this.cookies.set(key, { value, path });
  }
}

/** The forms of a page, their hidden fields filled in. */
function formsOf({ text, url }: Page): Form[] {
  return [...text.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)].map(([, attributes = "", content = ""]) => {
    const fields: Record<string, string> = {};
    for (const [input] of content.matchAll(/<input[^>]*>/g)) {
      const name = /name="([^"]*)"/.exec(input)?.[1];
      if (name && input.includes('type="hidden"')) fields[name] = /value="([^"]*)"/.exec(input)?.[1] ?? "";
    }
    return { action: new URL(/action="([^"]*)"/.exec(attributes)?.[1] ?? url, url).href, fields };
  });
}

function slash(path: string): string {
  return path.endsWith("/") ? path : `${path}/`;
}
