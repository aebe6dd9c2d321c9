/**
 * The Cache API has one cache: the page that's shown without a network, and every script, style, and typeface that it may
 * need. None of it depends on who's signed in. Pages and answers of the API are never cached.
 */
export const SHELL_CACHE = 'daylight-shell';

const SHELL_PAGE = '/offline';

/** Remembers when each file was last part of the shell. */
const INDEX = '/offline/files';

/** How long files stay for tabs that show an earlier version of the shell, in milliseconds: 14 days. */
const MAX_AGE = 14 * 24 * 60 * 60 * 1000;

/** How old the shell may get before it's fetched again, in milliseconds. */
const REFRESH_INTERVAL = 60 * 60 * 1000;

/** Times are in milliseconds since 1970. */
interface FileIndex {
  /** When the shell was last fetched. */
  checkedAt: number;
  /** When each file was last part of it. */
  files: Record<string, number>;
}

// Files of the site only, never anything of an account.
const openCache = () => caches.open(SHELL_CACHE);

/** Paths of files that a page, script, or style names. Their names have a hash of their content. */
const FILE =
  /(?:\/_next\/)?static\/(?:chunks|media)\/[\w.~-]+\.(?:js|css|woff2)|\.\.\/media\/[\w.~-]+\.woff2/g;

/** What recognizes speech in the browser, whose folder's name has a hash of its content. */
const SPEECH_FOLDER = /\/speech\/[0-9a-f]{16}/;

/** Returns whether a path is one of what recognizes speech, except for its models, which it caches itself. */
export const isSpeechScript = (pathname: string): boolean =>
  SPEECH_FOLDER.test(pathname) && pathname.endsWith('.js');

/** Returns the paths of the files that a text names. */
export function namedFiles(text: string): string[] {
  const paths = [...text.matchAll(FILE)].map(
    ([path]) => `/_next/static/${path.replace(/^.*?(?=(chunks|media)\/)/, '')}`,
  );
  return [...new Set(paths)];
}

/**
 * Caches files that aren't yet, and those that they name.
 * @throws TypeError if one of them can't be loaded
 */
async function cacheFiles(cache: Cache, first: readonly string[]): Promise<string[]> {
  const paths = new Set(first);
  // A set may grow while it's gone through.
  for (const path of paths) {
    let file = await cache.match(path);
    if (!file) {
      file = await fetch(path, { credentials: 'omit' });
      if (!file.ok) throw new TypeError(`${path} answered ${file.status}`);
      await cache.put(path, file.clone());
    }
    if (/\.(js|css)$/.test(path)) for (const named of namedFiles(await file.text())) paths.add(named);
  }
  return [...paths];
}

const scriptsIn = (folder: string) => [`${folder}/worker.js`, `${folder}/audio-tap.js`];

/** Returns the current version of what recognizes speech, if this device has one, which takes its owner's consent. */
async function wantedSpeech(cache: Cache, page: string): Promise<string[]> {
  const [folder] = SPEECH_FOLDER.exec(page) ?? [];
  const has = (await cache.keys()).some(({ url }) => isSpeechScript(new URL(url).pathname));
  return folder && has ? scriptsIn(folder) : [];
}

async function refresh(): Promise<void> {
  const cache = await openCache();
  const index: FileIndex = (await (await cache.match(INDEX))?.json()) ?? { checkedAt: 0, files: {} };
  const now = Date.now();
  if (Math.abs(now - index.checkedAt) < REFRESH_INTERVAL) return;
  const page = await fetch(SHELL_PAGE, { credentials: 'omit', cache: 'no-store', redirect: 'error' });
  if (!page.ok) return;
  const text = await page.clone().text();
  const current = await cacheFiles(cache, [...namedFiles(text), ...(await wantedSpeech(cache, text))]);
  // After the files, so that the page is never there without one that it needs.
  await cache.put(SHELL_PAGE, page);
  for (const path of current) index.files[path] = now;
  const files = Object.fromEntries(Object.entries(index.files).filter(([, used]) => now - used < MAX_AGE));
  await cache.put(INDEX, Response.json({ checkedAt: now, files } satisfies FileIndex));
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url);
    const isKept = pathname === SHELL_PAGE || pathname === INDEX || pathname in files;
    if (!isKept) await cache.delete(pathname);
  }
}

let refreshing: Promise<void> | undefined;

/** Caches the current version of the shell, at most once an hour. Ignores a network that fails: the next page tries again. */
export function refreshShell(): Promise<void> {
  refreshing ??= refresh()
    .catch(() => {})
    .finally(() => {
      refreshing = undefined;
    });
  return refreshing;
}

/** Returns the page that's shown without a network, or undefined if it isn't cached. */
export const shellPage = async (): Promise<Response | undefined> => (await openCache()).match(SHELL_PAGE);

/**
 * Returns a file from the cache, and otherwise from the network. A script that recognizes speech is cached then, with the
 * other one: it was asked for because somebody wants their words.
 */
export async function fetchFile(request: Request): Promise<Response> {
  const cache = await openCache();
  const cached = await cache.match(request);
  if (cached) return cached;
  const file = await fetch(request);
  const [folder] = SPEECH_FOLDER.exec(request.url) ?? [];
  // The other one may be asked for when there's no network anymore.
  if (file.ok && folder) cacheFiles(cache, scriptsIn(folder)).catch(() => {});
  return file;
}
