import { readdirSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import {
  collect,
  from,
  SOON,
  startBusyServer,
  statuses,
  stopBusyServers,
  useProxySettings,
} from '@/test/busy-server';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useProxySettings();
});
afterAll(() => takeDown());
afterEach(() => {
  vi.useRealTimers();
  stopBusyServers();
});

it('answers that a file is missing without working on it', async () => {
  const { ask, seen } = await startBusyServer();
  const missing = [
    '/nothing.x',
    '/wp-login.php',
    '/icons/nothing.png',
    '/_next/data/x/settings.json',
    '/.env',
  ];
  for (const path of missing) {
    const { status, headers, body } = await ask(path);
    expect([path, status, headers['content-type']]).toEqual([path, 404, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(body).toContain('We can’t find that page');
  }
  expect(seen.paths).toEqual([]);
  // Titles and tokens may have dots in them.
  const pages = [
    '/entry/x/a.day',
    '/entry/a.b',
    '/reset/a.b/c.d',
    '/reminders/off/a.b',
    '/api/v1/openapi.json',
  ];
  for (const path of pages) expect(await ask(path)).toMatchObject({ status: 200 });
});

it('takes its time with a network that asks for many, and with no other', async () => {
  // No delay ends before the test says so.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { ask } = await startBusyServer();
  const many = collect(Array.from({ length: 200 }, () => ask('/nothing.x', from('10.9.0.1'))));
  await expect.poll(() => many.length, SOON).toBeGreaterThanOrEqual(100);
  expect(await ask('/nothing.x', from('10.9.0.2'))).toMatchObject({ status: 404 });
  expect(many.length).toBeLessThan(200);
  await vi.advanceTimersByTimeAsync(250);
  await expect.poll(() => many.length, SOON).toBe(200);
  expect(statuses(many)).toEqual(new Set([404]));
});

it('knows every file that the app makes, or has in its public folder', async () => {
  const { ask, seen } = await startBusyServer();
  for (let index = 0; index < 128; index += 1) void ask('/held', from(`10.7.0.${index}`));
  await expect.poll(() => seen.running, SOON).toBeGreaterThanOrEqual(32);
  const shown = readdirSync('public', { recursive: true }).map(String);
  const routes = readdirSync('app').flatMap((name) => {
    if (name === 'manifest.ts') return ['manifest.webmanifest'];
    if (/^(robots|sitemap)\.ts$/.test(name))
      return [name.replace('.ts', name === 'robots.ts' ? '.txt' : '.xml')];
    return /\.(svg|png|ico|js)$/.test(name) ? [name] : [];
  });
  const files = [...shown, ...routes].filter((path) => path.includes('.'));
  expect(routes.sort()).toEqual([
    'apple-icon.png',
    'icon.svg',
    'manifest.webmanifest',
    'robots.txt',
    'sitemap.xml',
    'sw.js',
  ]);
  expect(files.length).toBeGreaterThan(15);
  for (const path of files) expect([path, (await ask(`/${path}`)).status]).toEqual([path, 200]);
});
