/**
 * Keeps the page of the console for a device that is offline: its HTML, script and style, and nothing that the API returns. The page then says
 * that the daemon does not answer.
 */
const CACHE = "wireroom-console";
const PAGE = "/console/";
/** Its name has no hash, so it may change. */
const THEME = `${PAGE}theme.js`;

self.addEventListener("install", (event) => {
  // Chromium drops what a page sends as it goes (`keepalive`) if the request passes through a worker.
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

/** Returns the page of the daemon, and keeps it. Offline, returns the kept one. */
async function navigate(event) {
  try {
    const response = await fetch(event.request);
    // A page that cannot be kept is shown all the same.
    event.waitUntil(keep(response.clone()).catch(() => {}));
    return response;
  } catch {
    return (await caches.match(PAGE)) ?? Response.error();
  }
}

/** The page that is being kept. Two at once would delete each other's files. */
let keeping = Promise.resolve();

/** Keeps a page with its files in place of an older one. A navigation may also lead to another file of the console. */
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

/** Shows an address of the console in a page that is open, so that unsent answers stay, or else in a new one. */
async function show(address) {
  const [page] = await self.clients.matchAll({ type: "window" });
  if (!page) return self.clients.openWindow(address);
  page.postMessage(address);
  return page.focus();
}
