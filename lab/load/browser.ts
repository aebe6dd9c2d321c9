import { AsyncLocalStorage } from 'node:async_hooks';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { Client } from '@/e2e/client';
import { projectRoot } from '@/local/up/data-dir';
import { createLocks, requestClass } from '@/test/browser-parts';

/** The code of a tab. */
export type Tab = typeof import('./tab');

/** Counts of responses by target and outcome: a status, or what broke the connection. */
export type RequestCounts = Record<'site' | 'storage', Record<string, number>>;

/** What a person's tabs share. */
interface Profile {
  api: Client;
  locks: ReturnType<typeof createLocks>;
  /** Cookies that scripts set. */
  cookie: string;
}

const profiles = new AsyncLocalStorage<Profile>();

function currentProfile(): Profile {
  const profile = profiles.getStore();
  if (!profile) throw new Error('This only works in a person’s browser.');
  return profile;
}

/** Why a connection broke, as Node names it. */
const causeOf = (error: unknown): string => {
  const { name = '', cause } = error as { name?: string; cause?: { code?: string } };
  return name === 'AbortError' ? 'given up' : (cause?.code ?? name);
};

export interface Browser {
  /** Runs something in this person's browser. */
  run<T>(work: (tab: Tab) => Promise<T>): Promise<T>;
  /** Does what a reload does: opens a tab with new memory in place of the one before. */
  reload(): Promise<void>;
}

/**
 * Gives Node the globals of a browser, which are those of the person whose code runs.
 * @param dir where to put the bundled code of the tabs
 * @returns opens the browser of a person who's signed in with a client, and counts what all of them send
 */
export async function installBrowsers(
  siteUrl: string,
  dir: string,
): Promise<{ open(api: Client): Promise<Browser>; counts: RequestCounts }> {
  const bundle = join(dir, 'tab.mjs');
  await build({
    entryPoints: [join(projectRoot, 'lab', 'load', 'tab.ts')],
    outfile: bundle,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    tsconfig: join(projectRoot, 'tsconfig.json'),
  });
  const counts: RequestCounts = { site: {}, storage: {} };
  const bareFetch = globalThis.fetch;
  const site = new URL(siteUrl).origin;
  const count = (address: URL, outcome: string) => {
    const target = counts[address.origin === site ? 'site' : 'storage'];
    target[outcome] = (target[outcome] ?? 0) + 1;
  };
  const countedFetch: typeof fetch = async (input, init) => {
    // Others than people ask, too.
    if (!profiles.getStore()) return bareFetch(input, init);
    const address = new URL(input instanceof Request ? input.url : input);
    try {
      const response = await bareFetch(input, init);
      count(address, String(response.status));
      return response;
    } catch (error) {
      count(address, causeOf(error));
      throw error;
    }
  };
  const browserFetch: typeof fetch = (input, init) =>
    typeof input === 'string' && input.startsWith('/')
      ? currentProfile().api.send(init?.method ?? 'GET', input, init)
      : countedFetch(input, init);
  Object.assign(globalThis, {
    fetch: browserFetch,
    XMLHttpRequest: requestClass(countedFetch),
    window: Object.assign(new EventTarget(), { location: { assign: () => undefined } }),
    document: Object.defineProperty(
      Object.assign(new EventTarget(), { visibilityState: 'visible' }),
      'cookie',
      {
        get: () => currentProfile().cookie,
        set: (cookie: string) => {
          currentProfile().cookie = cookie;
        },
      },
    ),
  });
  const navigator = {
    onLine: true,
    get locks() {
      return currentProfile().locks;
    },
  };
  Object.defineProperty(globalThis, 'navigator', { value: navigator, configurable: true });
  let tabs = 0;
  const openTab = async (): Promise<Tab> => {
    tabs += 1;
    // Another address is another instance of the module.
    return import(`${pathToFileURL(bundle).href}?tab=${tabs}`);
  };
  const open = async (api: Client): Promise<Browser> => {
    const profile: Profile = { api, locks: createLocks(), cookie: '' };
    let tab = await openTab();
    return {
      run: (work) => profiles.run(profile, () => work(tab)),
      reload: async () => {
        tab = await openTab();
      },
    };
  };
  return { open, counts };
}
