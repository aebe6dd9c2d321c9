import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test as base, expect, type Page } from '@playwright/test';
import { bundleServiceWorker } from '@/scripts/build-service-worker';

/** A site with our service worker, whose version and behavior tests set. */
interface Site {
  url: string;
  version: number;
  /** The version of the process that has the files, during a rollout; undefined if it's the same. */
  filesOf?: number;
  /** How it answers pages: as it should, by breaking the connection, as a proxy without a server, or not at all. */
  pages: 'fine' | 'broken' | 'unreachable' | 'silent';
  /** Paths that it was asked for. */
  asked: string[];
}

const html = (title: string, version: number) =>
  `<!doctype html><title>${title}</title><h1>${title}</h1><script src="/_next/static/chunks/first-${version}.js"></script>`;

/** A script of a version, which can load another one later, as Turbopack's do. */
const firstScript = (version: number) => `
  const later = ["static/chunks/later-${version}.js"];
  self.loadLater = () => import('/_next/' + later[0]).then((module) => module.version);
  navigator.serviceWorker?.register('/sw.js').then(() => navigator.serviceWorker.ready).then(({ active }) => active.postMessage('refresh'));`;

const test = base.extend<{ site: Site }>({
  serviceWorkers: 'allow',
  site: async ({}, use) => {
    const worker = await bundleServiceWorker();
    const site: Site = { url: '', version: 1, pages: 'fine', asked: [] };
    const server: Server = createServer((request, response) => {
      const path = new URL(request.url ?? '/', 'http://localhost').pathname;
      site.asked.push(path);
      const send = (type: string, body: string | Uint8Array, status = 200) =>
        response.writeHead(status, { 'content-type': type }).end(body);
      const [, name, version] = /^\/_next\/static\/chunks\/(first|later)-(\d+)\.js$/.exec(path) ?? [];
      // Each version has its own files only, as hosts that keep none of the others.
      if (name) {
        if (site.pages === 'broken') return request.socket.destroy();
        if (Number(version) !== (site.filesOf ?? site.version)) return send('text/plain', 'Not found', 404);
        return send(
          'text/javascript',
          name === 'first' ? firstScript(site.version) : `export const version = ${version};`,
        );
      }
      if (site.pages === 'broken') return request.socket.destroy();
      if (path === '/sw.js') return send('text/javascript', worker);
      if (site.pages === 'unreachable') return send('text/html', '<h1>Bad gateway</h1>', 502);
      if (site.pages === 'silent' && path !== '/offline') return;
      send(
        'text/html',
        html(path === '/offline' ? `Offline ${site.version}` : `Page ${site.version}`, site.version),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    site.url = `http://localhost:${(server.address() as AddressInfo).port}`;
    await use(site);
    server.closeAllConnections();
    server.close();
  },
});

const heading = (page: Page) => page.getByRole('heading');

async function open(page: Page, site: Site): Promise<void> {
  await page.goto(site.url);
  const isCached = () => page.evaluate(async () => (await caches.match('/offline/files')) !== undefined);
  await expect.poll(isCached).toBe(true);
}

/** As if the last look for a new version had been over an hour ago. */
const forgetLastLook = (page: Page) =>
  page.evaluate(async () => {
    const cache = await caches.open('daylight-shell');
    const index = await cache.match('/offline/files');
    const files = await index?.json();
    await cache.put('/offline/files', Response.json({ ...files, checkedAt: 0 }));
  });

test('shows the offline page at any address while the site can’t be reached', async ({ page, site }) => {
  await open(page, site);
  for (const pages of ['broken', 'unreachable'] as const) {
    site.pages = pages;
    await page.goto(`${site.url}/entry/abc?t=3`);
    await expect(heading(page)).toHaveText('Offline 1');
    expect(page.url()).toBe(`${site.url}/entry/abc?t=3`);
    expect(await page.evaluate('loadLater()')).toBe(1);
  }
  site.pages = 'fine';
  await page.reload();
  await expect(heading(page)).toHaveText('Page 1');
});

test('shows the offline page if a page doesn’t begin within eight seconds', async ({ page, site }) => {
  await open(page, site);
  site.pages = 'silent';
  await page.goto(`${site.url}/journals`, { timeout: 30_000 });
  await expect(heading(page)).toHaveText('Offline 1');
});

test('leaves downloads and the API alone', async ({ page, site }) => {
  await open(page, site);
  site.pages = 'unreachable';
  const answer = await page.goto(`${site.url}/api/v1/entry/abc/original`);
  expect(answer?.status()).toBe(502);
});

test('a new version takes over without breaking a page of the one before', async ({
  page,
  context,
  site,
}) => {
  await open(page, site);
  site.pages = 'broken';
  const old = await context.newPage();
  await old.goto(`${site.url}/upload`);
  await expect(heading(old)).toHaveText('Offline 1');
  site.pages = 'fine';
  site.version = 2;
  await forgetLastLook(page);
  await page.goto(site.url);
  await expect(heading(page)).toHaveText('Page 2');
  const cached = () =>
    page.evaluate(async () => (await (await caches.match('/offline'))?.text())?.includes('Offline 2'));
  await expect.poll(cached).toBe(true);
  site.pages = 'broken';
  expect(await old.evaluate('loadLater()')).toBe(1);
  await page.goto(`${site.url}/upload`);
  await expect(heading(page)).toHaveText('Offline 2');
  expect(await page.evaluate('loadLater()')).toBe(2);
});

test('a version whose files aren’t there yet changes nothing', async ({ page, site }) => {
  await open(page, site);
  await forgetLastLook(page);
  const before = site.asked.length;
  site.version = 2;
  site.filesOf = 1;
  await page.evaluate(() =>
    navigator.serviceWorker.ready.then(({ active }) => active?.postMessage('refresh')),
  );
  await expect.poll(() => site.asked.slice(before)).toContain('/_next/static/chunks/first-2.js');
  site.pages = 'broken';
  await page.goto(`${site.url}/upload`);
  await expect(heading(page)).toHaveText('Offline 1');
  expect(await page.evaluate('loadLater()')).toBe(1);
});

test('caches nothing but itself and its files', async ({ page, site }) => {
  await open(page, site);
  for (const path of ['/journals', '/entry/abc/a-walk', '/search?query=violet+lanterns'])
    await page.goto(site.url + path);
  const cached = await page.evaluate(async () => {
    const all = await Promise.all(
      (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
    );
    return all.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(cached.toSorted()).toEqual([
    '/_next/static/chunks/first-1.js',
    '/_next/static/chunks/later-1.js',
    '/offline',
    '/offline/files',
  ]);
});
