/** A GET request that is answered or given up within a time. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

/**
 * Throws where there is no answer within `patience` milliseconds. The timer is a plain one: that of `AbortSignal.timeout`
 * does not keep the process alive, which would end in the middle of a connection that is refused again and again.
 */
export async function ask(url: string, patience: number): Promise<Answer> {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(new Error(`no answer within ${patience} ms`)), patience);
  try {
    const response = await fetch(url, { signal: giveUp.signal, redirect: "manual" });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } finally {
    clearTimeout(timer);
  }
}
