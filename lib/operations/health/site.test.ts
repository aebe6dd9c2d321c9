import { afterAll, beforeAll, expect, it } from 'vitest';
import { TEST_SETTINGS } from '@/test/app-database';
import { type HttpServer, startHttpServer } from '@/test/leaks/proxy';
import { checkSite } from './site';

const TIMEOUT_MS = 10_000;

interface Answer {
  status: number;
  location?: string;
  type?: string;
  body?: string;
}

let answer: Answer;
let asked: string | undefined;
let site: HttpServer;
beforeAll(async () => {
  site = await startHttpServer((incoming, _body, outgoing) => {
    asked = incoming.url;
    const { status, location, type = 'application/json', body } = answer;
    outgoing.writeHead(status, { 'content-type': type, ...(location && { location }) }).end(body);
  });
  Object.assign(process.env, {
    ...TEST_SETTINGS,
    DATABASE_URL: 'postgres://localhost/none',
    APP_URL: site.url,
  });
});
afterAll(() => site?.close());

it.each<[string, Answer, RegExp]>([
  [
    'a redirect to another host',
    { status: 308, location: 'https://www.journal.example.com/api/health' },
    /^http:\/\/127\.0\.0\.1:\d+ redirects to https:\/\/www\.journal\.example\.com\. Set APP_URL to where people end up/,
  ],
  [
    'a redirect to https',
    { status: 301, location: 'https://127.0.0.1/' },
    /redirects to https:\/\/127\.0\.0\.1\./,
  ],
  ['a redirect within the site', { status: 307, location: '/login' }, /isn’t Daylight \(status 307\)/],
  ['a redirect to nowhere', { status: 302, location: 'https://' }, /isn’t Daylight \(status 302\)/],
  ['another site', { status: 200, type: 'text/html', body: '<p>' }, /isn’t Daylight \(status 200\)/],
  ['another API', { status: 200, body: '{"status":"up"}' }, /isn’t Daylight \(status 200\)/],
  [
    'a missing page',
    { status: 404, body: '{}' },
    /isn’t Daylight \(status 404\). Point the domain to the site/,
  ],
])('finds %s wrong', async (_, given, problem) => {
  answer = given;
  expect(await checkSite(TIMEOUT_MS)).toEqual({ problems: [expect.stringMatching(problem)] });
  expect(asked).toBe('/api/health');
});

it.each<[string, Answer, RegExp]>([
  ['a login of its own', { status: 401 }, /asks for a login of its own \(status 401\)/],
  ['a proxy whose site is down', { status: 502, type: 'text/html' }, /status 502, so the site isn’t up/],
])('only notes %s', async (_, given, note) => {
  answer = given;
  expect(await checkSite(TIMEOUT_MS)).toEqual({ problems: [], notes: [expect.stringMatching(note)] });
});

it.each([
  [200, 'ok'],
  [503, 'failed'],
])('finds a site right that answers with %i', async (status, health) => {
  answer = { status, body: JSON.stringify({ status: health, checks: { jobs: health } }) };
  expect(await checkSite(TIMEOUT_MS)).toEqual({ problems: [] });
});

it('only notes a site that isn’t there yet', async () => {
  await site.close();
  const note = expect.stringMatching(
    /^The site isn’t responding at http:\/\/127\.0\.0\.1:\d+, so APP_URL wasn’t checked/,
  );
  expect(await checkSite(TIMEOUT_MS)).toEqual({ problems: [], notes: [note] });
});
