/** A minimal browser with cookies, redirects and forms. It can sign in at the identity provider. */
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

  /**
   * @param stopsAt returns true for redirects that must not be followed, such as those to a native
   *   application
   * @param source IP address from which the requests seem to come, or a function that returns it for each
   *   request
   */
  constructor(
    private readonly stopsAt: (url: string) => boolean = () => false,
    private readonly source?: string | (() => string),
  ) {}

  get(url: string): Promise<Page> {
    return this.navigate(url, {});
  }

  /** Submits the page's form with this index. `fields` are added to its hidden fields. */
  submit(page: Page, fields: Record<string, string>, form = 0): Promise<Page> {
    const { action, fields: hidden } = formsOf(page)[form] as Form;
    return this.navigate(action, {
      method: "POST",
      headers: { origin: new URL(page.url).origin },
      body: new URLSearchParams({ ...hidden, ...fields }),
    });
  }

  /** Sends a request as a script of a page does, with the cookies for its URL. Follows no redirect. */
  async request(url: string, init: RequestInit): Promise<Response> {
    const headers = { ...init.headers, cookie: this.cookieHeader(url) };
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) this.storeCookie(line, url);
    return response;
  }

  private async navigate(url: string, init: RequestInit): Promise<Page> {
    const headers = {
      ...init.headers,
      ...(this.source !== undefined && {
        "x-forwarded-for": typeof this.source === "string" ? this.source : this.source(),
      }),
      accept: "text/html",
      cookie: this.cookieHeader(url),
    };
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) this.storeCookie(line, url);
    const location = response.headers.get("location");
    if (location === null || response.status < 300 || response.status > 399) {
      return { url, status: response.status, headers: response.headers, text: await response.text() };
    }
    const next = new URL(location, url).href;
    if (this.stopsAt(next))
      return { url: next, status: response.status, headers: response.headers, text: "" };
    return this.navigate(next, {});
  }

  private cookieHeader(url: string): string {
    const { pathname } = new URL(url);
    const sent = [...this.cookies].filter(
      ([, { path }]) => pathname === path || pathname.startsWith(withTrailingSlash(path)),
    );
    return sent.map(([key, { value }]) => `${key.split("@")[0]}=${value}`).join("; ");
  }

  private storeCookie(line: string, url: string): void {
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

/** Returns the forms of a page with the values of their hidden and read-only fields. */
function formsOf({ text, url }: Page): Form[] {
  return [...text.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)].map(([, attributes = "", content = ""]) => {
    const fields: Record<string, string> = {};
    for (const [input] of content.matchAll(/<input[^>]*>/g)) {
      const name = /name="([^"]*)"/.exec(input)?.[1];
      if (name && /type="hidden"|\breadonly\b/.test(input))
        fields[name] = /value="([^"]*)"/.exec(input)?.[1] ?? "";
    }
    return { action: new URL(/action="([^"]*)"/.exec(attributes)?.[1] ?? url, url).href, fields };
  });
}

function withTrailingSlash(path: string): string {
  return path.endsWith("/") ? path : `${path}/`;
}
