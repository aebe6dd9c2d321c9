import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test as base, expect } from '@/e2e/fixtures';
import { createSender } from '@/e2e/fuzz/fuzz-operation';
import { responseProblems } from '@/e2e/fuzz/response-problems';
import { type SeededAccount, seedFullAccount } from '@/e2e/fuzz/seeded-account';
import type { WireResponse } from '@/e2e/fuzz/wire';
import { projectRoot } from '@/local/up/data-dir';
import type { WireRequest } from '@/test/fuzz/request-parser';
import { ofThisRun, shareNotice } from '@/test/fuzz/share';
import { BODIES, ESCAPES, HEADER_VALUES, TEXTS } from '@/test/fuzz/values';

const test = base.extend<object, { world: SeededAccount }>({
  world: [async ({ app, sql }, use) => use(await seedFullAccount(app, sql)), { scope: 'worker' }],
});

const get = (path: string): WireRequest => ({ method: 'GET', path, headers: {} });
/** Values as an address has them; nothing, and dots alone, are another address. */
const VALUES = [...TEXTS.map((text) => encodeURIComponent(text.toWellFormed())), ...ESCAPES].filter(
  // Twice in one address, the longest would be more than a server takes.
  (value) => !/^(\.|%2e)*$/i.test(value) && !/[?#]/.test(value) && value.length < 4000,
);

/** What is wrong with a page. */
function pageProblems(answer: WireResponse): string[] {
  const isPage = answer.headers['content-type']?.startsWith('text/html');
  const leadsOn = answer.status >= 300 && answer.status < 400 && answer.headers.location !== undefined;
  return [
    ...responseProblems(answer),
    ...(isPage || leadsOn ? [] : [`no page, but status ${answer.status}`]),
  ];
}

/** Sends everything, some at a time, and gives what is wrong with each answer. */
async function problemsOf(
  requests: readonly WireRequest[],
  send: (request: WireRequest) => Promise<WireResponse>,
  judge: (answer: WireResponse) => string[],
): Promise<string[]> {
  const found: string[] = [];
  for (let start = 0; start < requests.length; start += 6) {
    await Promise.all(
      requests.slice(start, start + 6).map(async (request) => {
        const problems = judge(await send(request));
        found.push(
          ...problems.map((problem) => `${request.method} ${request.path.slice(0, 200)}: ${problem}`),
        );
      }),
    );
  }
  return found;
}

/** The pages, as folders below app/ name them. */
const pages = readdirSync(join(projectRoot, 'app'), { recursive: true, encoding: 'utf8' })
  .filter((file) => basename(file) === 'page.tsx')
  .map((file) => join('/', dirname(file)).replace(/\/\([^)]*\)/g, '') || '/')
  .sort();

/** Every name that a page reads of its address. */
const NAMES = [
  ...['next', 'callbackUrl', 'error', 'uid', 'token', 'page', 'tag', 'month', 'view', 'query', 'categories'],
  ...['dateRange', 'to', 'tab', 'bought', 'problem', 't', '_rsc', '__proto__'],
];

for (const [turn, page] of pages.entries()) {
  test(`the page ${page} takes any address`, async ({ app, world }) => {
    const [entry = ''] = world.ids();
    const good = (segment: string) => (segment.includes('id]') && !segment.includes('uid') ? entry : 'x');
    const segments = page.match(/\[+[^\]]+\]+/g) ?? [];
    const filled = (attacked: string, value: string) =>
      page.replace(/\[+[^\]]+\]+/g, (segment) => (segment === attacked ? value : good(segment)));
    // A page takes longer than a call, so each segment gets half of the values: two of one page get them all.
    const inSegments = segments.flatMap((segment, index) =>
      VALUES.filter((_, nth) => (nth + index + turn) % 2 === 0).map((value) => get(filled(segment, value))),
    );
    // Every name has its turn with each value on one of the pages, alone or repeated.
    const inQuery = NAMES.flatMap((name, index) =>
      VALUES.filter((_, nth) => (nth + index) % pages.length === turn).map((value, nth) =>
        get(`${filled('', '')}?${nth % 2 === 0 ? '' : `${name}=a&${name}[]=b&`}${name}=${value}`),
      ),
    );
    const requests = ofThisRun([...inSegments, ...inQuery], turn);
    expect(await problemsOf(requests, createSender(app.url, world), pageProblems), shareNotice).toEqual([]);
    const some = requests.filter((_, index) => index % 4 === turn % 4);
    expect(await problemsOf(some, createSender(app.url), pageProblems), shareNotice).toEqual([]);
  });
}

/** Routes that aren't operations, each with the names that it reads. */
const ROUTES: Record<string, string[]> = {
  '/api/health': [],
  '/api/inngest': ['fnId', 'stepId', 'probe'],
  '/api/webhooks/stripe': [],
  '/api/nothing': ['a'],
  '/api/v1/nothing': ['a'],
  '/api/auth/session': ['update'],
  '/api/auth/csrf': [],
  '/api/auth/providers': [],
  '/api/auth/signin': ['callbackUrl', 'error'],
  '/api/auth/signin/google': ['callbackUrl', 'csrfToken', 'json'],
  '/api/auth/signin/nothing': ['callbackUrl'],
  '/api/auth/signout': ['callbackUrl', 'csrfToken'],
  '/api/auth/callback/google': ['code', 'state', 'error', 'callbackUrl'],
  '/api/auth/callback/github': ['code', 'state', 'error'],
  '/api/auth/error': ['error'],
  '/api/auth/verify-request': [],
  '/api/auth/_log': ['level', 'code'],
};

for (const [turn, [path, names]] of Object.entries(ROUTES).entries()) {
  test(`${path} answers hostile input right`, async ({ app, world }) => {
    const some = <T>(values: readonly T[], share: number) =>
      values.filter((_, index) => index % share === turn % share);
    const queries = names.flatMap((name) => some(VALUES, 3).map((value) => get(`${path}?${name}=${value}`)));
    const deeper = some(VALUES, 6).map((value) => get(`${path}/${value}`));
    const headers = some(HEADER_VALUES, 2).flatMap((value) =>
      ['stripe-signature', 'x-inngest-signature', 'cookie', 'content-type', 'origin'].map((name) => ({
        method: 'POST',
        path,
        body: '{}',
        headers: { [name]: value },
      })),
    );
    const destinations = some(HEADER_VALUES, 2).map((value) => ({
      ...get(path),
      headers: { cookie: `next-auth.callback-url=${value}` },
    }));
    const bodies = BODIES.flatMap((body) =>
      ['application/json', 'application/x-www-form-urlencoded'].map((type) => ({
        method: 'POST',
        path,
        body,
        headers: { 'content-type': type, 'stripe-signature': 't=1,v1=0', 'x-inngest-signature': 't=1&s=0' },
      })),
    );
    const requests = ofThisRun([...queries, ...deeper, ...headers, ...destinations, ...bodies], turn);
    expect(await problemsOf(requests, createSender(app.url, world), responseProblems), shareNotice).toEqual(
      [],
    );
  });
}
