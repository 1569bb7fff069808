{% load static %}{% comment %}The site's service worker, at /worker.js, so that it may answer for every page.{% endcomment %}
// Keep the player's last own page to read without network, and show notifications, which phones do only through a
// service worker. Nothing else is kept, and nothing is sent later from here.

const KEPT = "headjudge own page"; // left.js empties it when the player signs out
const OWN = /^\/events\/[^/]+\/entries\/\d+\/$/;

addEventListener("install", () => self.skipWaiting());
addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (OWN.test(pathname)) event.respondWith(ownPage(event));
  else if (request.mode === "navigate") event.respondWith(fetch(request).catch(toKeptPage));
  else if (pathname.startsWith("/static/")) event.respondWith(fetch(request).catch((fault) => kept(request.url, fault)));
});

async function ownPage(event) {
  const { request } = event;
  const [address] = request.url.split("?"); // one for each page: two addresses kept at once would delete each other
  try {
    const response = await fetch(request);
    event.waitUntil(keep(address, response.clone()));
    return response;
  } catch (fault) {
    if (request.mode !== "navigate") throw fault; // live updates must learn that there is no network
    return kept(address, fault).catch(toKeptPage);
  }
}

async function kept(address, fault) {
  const found = await caches.match(address, { ignoreVary: true });
  if (!found) throw fault;
  return found;
}

async function toKeptPage(fault) {
  const addresses = await (await caches.open(KEPT)).keys();
  const page = addresses.find(({ url }) => OWN.test(new URL(url).pathname));
  if (!page) throw fault;
  return Response.redirect(page.url);
}

// Keep the page with the time, in <html data-kept>, and the files that it needs; forget the page kept before.
async function keep(address, response) {
  if (!response.ok) return;
  const page = await response.text();
  if (!page.includes('id="kept"')) return; // another player's page, or the page of someone who has signed out
  const cache = await caches.open(KEPT);
  const files = new Set([...page.matchAll(/(?:href|src)="(\/static\/[^"#]+)/g)].map(([, file]) => new URL(file, address).href));
  for (const file of files) {
    const found = (await cache.match(file)) ?? (await fetch(file));
    if (!found.ok) return;
    await cache.put(file, found.clone());
    if (!file.endsWith(".js")) continue;
    for (const [, other] of (await found.text()).matchAll(/ from "(\.\/[^"]+)"/g)) files.add(new URL(other, file).href);
  }
  const headers = new Headers(response.headers);
  headers.delete("Content-Encoding");
  headers.delete("Content-Length");
  const dated = page.replace("<html", `<html data-kept="${new Date().toISOString()}"`);
  await cache.put(address, new Response(dated, { headers }));
  for (const { url } of await cache.keys()) {
    if (url !== address && !files.has(url)) await cache.delete(url);
  }
}

// A message that the server pushed, by judging/pushes.py.
addEventListener("push", (event) => {
  const { title, body, tag, path } = event.data.json();
  const data = new URL(path, location.origin).href;
  const icon = "{% static 'app/192.png' %}";
  event.waitUntil(self.registration.showNotification(title, { body, tag, data, icon, renotify: true }));
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  const address = event.notification.data;
  event.waitUntil(
    self.clients.matchAll({ type: "window", includeUncontrolled: true }).then((open) => {
      const page = open.find((one) => one.url === address);
      return page ? page.focus() : self.clients.openWindow(address);
    }),
  );
});
