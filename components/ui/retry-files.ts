/**
 * Loads a page's scripts and styles again when one fails, up to four times within about three seconds: while a new
 * version is rolled out, the process that answers may not be the one that has the file. Plain text, because it runs
 * before any other script. React still puts files in front of it, so it looks for those that have failed already.
 */
export const RETRY_FILES = `(() => {
  const tries = new Map();
  const failures = new WeakSet();
  const addressOf = (element) => element.getAttribute(element instanceof HTMLScriptElement ? 'src' : 'href') ?? '';
  const retry = (failed) => {
    if (failures.has(failed)) return true;
    const url = addressOf(failed);
    const count = (tries.get(url) ?? 0) + 1;
    if (!url.startsWith('/_next/static/') || count > 4 || !failed.isConnected) return false;
    tries.set(url, count);
    failures.add(failed);
    setTimeout(() => {
      const again = document.createElement(failed.localName);
      for (const { name, value } of failed.attributes) again.setAttribute(name, value);
      if (failed.nonce) again.nonce = failed.nonce;
      again.onload = () => failed.dispatchEvent(new Event('load'));
      again.onerror = () => {
        again.remove();
        failed.dispatchEvent(new Event('error'));
      };
      failed.replaceWith(again);
    }, 300 * count);
    return true;
  };
  addEventListener('error', (event) => {
    const failed = event.target;
    if (!(failed instanceof HTMLScriptElement || failed instanceof HTMLLinkElement)) return;
    if (retry(failed)) event.stopImmediatePropagation();
  }, true);
  for (const element of document.querySelectorAll('script[src], link[rel="stylesheet"]')) {
    const loads = performance.getEntriesByName(new URL(addressOf(element), location.href).href);
    if (loads.some(({ responseStatus }) => responseStatus >= 400)) retry(element);
  }
})();`;
