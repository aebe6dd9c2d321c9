/**
 * Loads a page's scripts and styles again when one fails, up to four times within about three seconds: while a new
 * version is rolled out, the process that answers may not be the one that has the file. Runs before any other script,
 * so it's plain text.
 */
export const RETRY_FILES = `(() => {
  const tries = new Map();
  addEventListener('error', (event) => {
    const failed = event.target;
    if (!(failed instanceof HTMLScriptElement || failed instanceof HTMLLinkElement)) return;
    const name = failed instanceof HTMLScriptElement ? 'src' : 'href';
    const url = failed.getAttribute(name) ?? '';
    const count = (tries.get(url) ?? 0) + 1;
    if (!url.startsWith('/_next/static/') || count > 4 || !failed.isConnected) return;
    tries.set(url, count);
    event.stopImmediatePropagation();
    setTimeout(() => {
      const again = document.createElement(failed.localName);
      for (const { name, value } of failed.attributes) again.setAttribute(name, value);
      if (failed.nonce) again.nonce = failed.nonce;
      again.onload = () => failed.dispatchEvent(new Event('load'));
      again.onerror = () => failed.dispatchEvent(new Event('error'));
      failed.replaceWith(again);
    }, 300 * count);
  }, true);
})();`;
