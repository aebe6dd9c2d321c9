/** The event by which Chromium lets a page ask for its installation (Web App Manifest incubations). */
interface InstallPromptEvent extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

declare global {
  interface Window {
    installPrompt?: InstallPromptEvent | null;
  }
}

/**
 * Keeps the browser's offer to install the app for {@link installStore}, instead of a banner. Plain text, because the offer
 * may come before any other script runs, and once only.
 */
export const KEEP_INSTALL_PROMPT = `addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault();
  window.installPrompt = event;
  dispatchEvent(new Event('installchange'));
});`;

/** `window`: this is the app's own window. `installed`: it has just been installed. `manual`: only the browser's menu can. */
export type InstallState = 'window' | 'installed' | 'ready' | 'ios' | 'manual';

const STANDALONE = '(display-mode: standalone)';

let isInstalled = false;

/** Safari on iPhones and iPads, which has no event, says by this whether it runs the app in a window of its own. */
const readStandalone = (): boolean | undefined => (navigator as { standalone?: boolean }).standalone;

/** Whether and how Daylight can be installed here, for useSyncExternalStore. */
export const installStore = {
  subscribe(listener: () => void): () => void {
    const over = new AbortController();
    const { signal } = over;
    const onInstalled = () => {
      isInstalled = true;
      listener();
    };
    window.addEventListener('installchange', listener, { signal });
    window.addEventListener('appinstalled', onInstalled, { signal });
    window.matchMedia(STANDALONE).addEventListener('change', listener, { signal });
    return () => over.abort();
  },
  get(): InstallState {
    if (window.matchMedia(STANDALONE).matches || readStandalone()) return 'window';
    if (isInstalled) return 'installed';
    if (window.installPrompt) return 'ready';
    return readStandalone() === undefined ? 'manual' : 'ios';
  },
};

/** Shows the browser's dialog to install the app. Each offer works once; the browser may make another one later. */
export async function askToInstall(): Promise<void> {
  const offer = window.installPrompt;
  if (!offer) return;
  const { outcome } = await offer.prompt();
  window.installPrompt = null;
  if (outcome === 'accepted') isInstalled = true;
  window.dispatchEvent(new Event('installchange'));
}
