// The search of the theme works in a web worker and fetches its index. A page opened from the file system may do neither: here the index
// is a script, loaded when the reader goes to the search box, and the worker runs in a hidden frame.
(() => {
  const index = new URL('search/index.js', document.currentScript.src);
  window.__search = { index: new Promise((resolve) => (window.searchIndex = resolve)) };

  const load = () => {
    const script = document.createElement('script');
    script.src = index;
    document.head.append(script);
  };
  const wanted = (event) => {
    if (!event.target.closest?.('.md-search')) return;
    document.removeEventListener('focusin', wanted);
    load();
  };
  const asked = new URLSearchParams(location.search);
  if (asked.has('q') || asked.has('h')) load();  // h: words to be marked
  else document.addEventListener('focusin', wanted);

  if (location.protocol !== 'file:') return;
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement('iframe');
      frame.hidden = true;
      document.body.append(frame);
      this.ready = new Promise((resolve) => (frame.onload = () => resolve(frame.contentWindow)));
      const page = frame.contentDocument;
      page.open();
      page.write(`<script src="${new URL(url, location.href)}"></` + 'script>');
      frame.contentWindow.importScripts = () => {};
      frame.contentWindow.postMessage = (data) => {
        const event = new MessageEvent('message', { data });
        this.dispatchEvent(event);
        this.onmessage?.(event);
      };
      page.close();
    }
    async postMessage(data) {
      const worker = await this.ready;
      worker.dispatchEvent(new worker.MessageEvent('message', { data }));
    }
    terminate() {}
  };
})();
