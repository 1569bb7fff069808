// Phones show notifications only from a worker: this one shows nothing by itself and keeps no page; a tap on what
// notice.js has shown leads back to the page that was left open.

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
