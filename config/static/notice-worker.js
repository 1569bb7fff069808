// Phones show notifications only through a service worker. This one caches nothing; a tap on a notification that notice.js
// has shown leads back to the open page.

addEventListener("install", () => self.skipWaiting());
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
