/**
 * Caches the console's HTML, scripts and styles, but no response of the API. A device that is offline can
 * therefore still open the page, which says that the daemon does not answer.
 */
const CACHE = "wireroom-console";
const PAGE = "/console/";
/** Other files have a hash in their names. This one has none, so its content may change. */
const THEME = `${PAGE}theme.js`;

self.addEventListener("install", (event) => {
  // Let API requests bypass this worker, because Chromium drops the `keepalive` requests of a closed page
  // that pass through a worker.
  event.addRoutes?.({ condition: { urlPattern: new URLPattern({ pathname: "/v1/*" }) }, source: "network" });
  event.waitUntil(fetch(PAGE).then(keep));
  self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  event.waitUntil(self.clients.claim());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  const isOurs = origin === location.origin && `${pathname}/`.startsWith(PAGE);
  if (request.method !== "GET" || !isOurs) return;
  if (request.mode === "navigate") event.respondWith(navigate(event));
  else if (pathname.startsWith(`${PAGE}assets/`))
    event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
  else if (pathname === THEME) event.respondWith(fetch(request).catch(() => caches.match(request)));
});

/** Returns the page from the daemon and caches it. Offline, returns the cached page. */
async function navigate(event) {
  try {
    const response = await fetch(event.request);
    // Show the page even if it cannot be cached.
    event.waitUntil(keep(response.clone()).catch(() => {}));
    return response;
  } catch {
    return (await caches.match(PAGE)) ?? Response.error();
  }
}

/**
 * Resolves when the last page is cached. Pages are cached one after the other, because two at once would
 * delete each other's files.
 */
let keeping = Promise.resolve();

/**
 * Caches a page with its files in place of the previous page. Ignores other responses, because a navigation
 * may also open another file of the console.
 */
function keep(response) {
  const isPage = response.ok && response.headers.get("content-type")?.startsWith("text/html");
  if (isPage) keeping = keeping.catch(() => {}).then(() => replaceKept(response));
  return keeping;
}

async function replaceKept(response) {
  const html = await response.text();
  const assets = [...html.matchAll(/"(\/console\/assets\/[^"]+)"/g)].map(([, path]) => path);
  const files = [...assets, THEME];
  const cache = await caches.open(CACHE);
  const kept = await cache.keys();
  const paths = kept.map(({ url }) => new URL(url).pathname);
  await cache.addAll(files.filter((path) => path === THEME || !paths.includes(path)));
  await cache.put(PAGE, new Response(html, { headers: response.headers }));
  for (const [n, path] of paths.entries())
    if (path !== PAGE && !files.includes(path)) await cache.delete(kept[n]);
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data));
});

/**
 * Opens an address of the console in an open page, so that unsent answers are not lost, or else in a new
 * page.
 */
async function show(address) {
  const [page] = await self.clients.matchAll({ type: "window" });
  if (!page) return self.clients.openWindow(address);
  page.postMessage(address);
  return page.focus();
}
