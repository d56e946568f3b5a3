/** A GET request with a timeout. */
export interface HttpResponse {
  status: number;
  headers: Headers;
  text: string;
}

/**
 * Sends a GET request. Throws after `timeoutMs`. Uses its own timer, because the timer of
 * `AbortSignal.timeout` would not keep the process alive while the connection is retried.
 */
export async function httpGet(url: string, timeoutMs: number): Promise<HttpResponse> {
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new Error(`no response within ${timeoutMs} ms`)),
    timeoutMs,
  );
  try {
    const response = await fetch(url, { signal: controller.signal, redirect: "manual" });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } finally {
    clearTimeout(timer);
  }
}
