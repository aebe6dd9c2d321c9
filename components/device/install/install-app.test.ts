import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeEach, expect, it, vi } from 'vitest';
import { InstallApp } from './install-app';
import { askToInstall, installStore, KEEP_INSTALL_PROMPT } from './install-prompt';

let standalone: boolean;

/** A browser's window, as far as installing needs it. */
class FakeWindow extends EventTarget {
  matchMedia = () => Object.assign(new EventTarget(), { matches: standalone });
}

function offerOf(outcome: 'accepted' | 'dismissed') {
  const event = new Event('beforeinstallprompt', { cancelable: true });
  return Object.assign(event, { prompt: async () => ({ outcome }) });
}

beforeEach(() => {
  standalone = false;
  const page = new FakeWindow();
  vi.stubGlobal('window', page);
  vi.stubGlobal('navigator', {});
  for (const name of ['addEventListener', 'dispatchEvent'] as const)
    vi.stubGlobal(name, page[name].bind(page));
  new Function(KEEP_INSTALL_PROMPT)();
  return () => vi.unstubAllGlobals();
});

it('keeps an offer that came before anything listened, and uses it once', async () => {
  const offer = offerOf('dismissed');
  window.dispatchEvent(offer);
  expect(offer.defaultPrevented).toBe(true);
  expect(installStore.get()).toBe('ready');
  const onChange = vi.fn();
  const unsubscribe = installStore.subscribe(onChange);
  await askToInstall();
  expect(onChange).toHaveBeenCalledOnce();
  expect(installStore.get()).toBe('manual');
  window.dispatchEvent(offerOf('accepted'));
  expect(onChange).toHaveBeenCalledTimes(2);
  await askToInstall();
  expect(installStore.get()).toBe('installed');
  unsubscribe();
});

it('knows the app’s own window, and browsers that only a person can install from', () => {
  vi.stubGlobal('navigator', { standalone: false });
  standalone = true;
  expect(installStore.get()).toBe('window');
  expect(renderToStaticMarkup(createElement(InstallApp))).toContain('Install Daylight');
});
