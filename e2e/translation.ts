import type { BrowserContext } from '@playwright/test';

/**
 * Translates all pages of a context as Chrome does, once they're loaded and after each change: text nodes are taken away, and
 * elements with other ones stand in their places. The text stays the same, so that tests find it.
 */
export async function translatePages(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const KEPT = 'script, style, textarea, title, option, [translate="no"], font';
    function translate(root: Node): void {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      for (let node = walker.nextNode(); node; node = walker.nextNode()) texts.push(node as Text);
      for (const text of texts) {
        if (!text.data.trim() || text.parentElement?.closest(KEPT)) continue;
        const [outer, inner] = [document.createElement('font'), document.createElement('font')];
        inner.textContent = text.data;
        outer.append(inner);
        text.replaceWith(outer);
      }
    }
    const start = () => {
      translate(document.body);
      new MutationObserver(() => translate(document.body)).observe(document.body, {
        childList: true,
        characterData: true,
        subtree: true,
      });
    };
    // Once React has taken over all that the server sends, which its properties and comments tell: someone who asks for it
    // takes longer to.
    const isAwaited = () => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_COMMENT);
      for (let node = walker.nextNode(); node; node = walker.nextNode())
        if (/^\$[?~]/.test((node as Comment).data)) return true;
      return false;
    };
    const isHydrated = () =>
      !isAwaited() &&
      [...document.querySelectorAll('body :is(a, button, h1, h2, h3, input, li, p)')].every((element) =>
        Object.keys(element).some((name) => name.startsWith('__reactFiber')),
      );
    const startOnceHydrated = () => (isHydrated() ? start() : setTimeout(startOnceHydrated, 50));
    window.addEventListener('load', () => requestIdleCallback(startOnceHydrated));
  });
}
