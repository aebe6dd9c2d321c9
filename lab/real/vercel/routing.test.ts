import { expect, it } from 'vitest';
import type { BuildOutput, BuiltFunction, Route } from './output';
import { type MiddlewareResult, routeRequest } from './routing';

const FUNCTION: BuiltFunction = {
  name: 'page',
  handler: '',
  runtime: '',
  usesWebApi: false,
  maxDuration: null,
  bytes: 0,
  files: new Map(),
};

/** As `vercel build` writes them for an app with a rewrite, a dynamic page, and middleware. */
const ROUTES: Route[] = [
  { src: '/(.*)', headers: { 'x-frame-options': 'DENY' }, continue: true },
  { src: '^/(?!api/).*$', middlewarePath: '/_middleware', continue: true },
  { src: '^/$', dest: '/landing', missing: [{ type: 'cookie', key: 'session' }], continue: true },
  { src: '^/?', dest: '/index.rsc', has: [{ type: 'header', key: 'rsc', value: '1' }], continue: true },
  { src: '^/(.+?)$', dest: '/$1.rsc', has: [{ type: 'header', key: 'rsc', value: '1' }], continue: true },
  { handle: 'filesystem' },
  { handle: 'resource' },
  { src: '/.*', status: 404 },
  { handle: 'miss' },
  { handle: 'rewrite' },
  { src: '^/entry/(?<id>[^/]+?)(?<rsc>\\.rsc)$', dest: '/entry/[id]$rsc?nxtPid=$id', check: true },
  { src: '^/entry/(?<id>[^/]+?)$', dest: '/entry/[id]?nxtPid=$id', check: true },
  { handle: 'hit' },
  { src: '/(.*)', headers: { 'x-matched-path': '/$1' }, continue: true, important: true },
  { handle: 'error' },
  { src: '/.*', dest: '/_not-found', status: 404 },
];

const FUNCTIONS = ['/', '/landing', '/login', '/entry/[id]', '/entry/[id].rsc', '/_not-found'];
const output: BuildOutput = {
  routes: ROUTES,
  functions: new Map(FUNCTIONS.map((path) => [path, FUNCTION])),
  files: new Map([['/icon.svg', { path: 'icon.svg' }]]),
};

const passThrough: MiddlewareResult = { response: null, headers: new Headers([['set-cookie', 'a=1']]) };

async function route(path: string, headers: Record<string, string> = {}, middleware = passThrough) {
  const [pathname = '', query = ''] = path.split('?');
  const request = {
    method: 'GET',
    path: pathname,
    query: new URLSearchParams(query),
    headers: new Headers(headers),
  };
  const {
    path: found,
    status,
    query: merged,
    important,
    headers: given,
  } = await routeRequest({
    output,
    request,
    runMiddleware: async () => middleware,
  });
  return {
    found,
    status,
    query: merged.toString(),
    matched: important.get('x-matched-path'),
    important,
    given,
  };
}

it('finds files, pages, and dynamic pages with their parameters', async () => {
  expect(await route('/icon.svg')).toMatchObject({ found: '/icon.svg', status: null });
  expect(await route('/login?next=1')).toMatchObject({ found: '/login', query: 'next=1', matched: '/login' });
  expect(await route('/login/')).toMatchObject({ found: '/login' });
  const entry = { found: '/entry/[id]', query: 'a=1&nxtPid=42', matched: '/entry/[id]', status: null };
  expect(await route('/entry/42?a=1')).toMatchObject(entry);
});

it('rewrites by cookies and headers', async () => {
  expect(await route('/')).toMatchObject({ found: '/landing' });
  expect(await route('/', { cookie: 'x=1; session=2' })).toMatchObject({ found: '/' });
  const data = { found: '/entry/[id].rsc', query: 'nxtPid=42' };
  expect(await route('/entry/42', { rsc: '1' })).toMatchObject(data);
});

it('shows the page for what isn’t found, with status 404', async () => {
  expect(await route('/nothing')).toMatchObject({ found: '/_not-found', status: 404 });
});

it('keeps what middleware sets, and ends where it answers', async () => {
  const { important, given } = await route('/login');
  expect(important.getSetCookie()).toEqual(['a=1']);
  expect(given.get('x-frame-options')).toBe('DENY');
  const response = new Response(null, { status: 307 });
  const away = { response, headers: new Headers({ location: '/login' }) };
  expect(await route('/entry/42', {}, away)).toMatchObject({ found: null });
  expect((await route('/entry/42', {}, away)).important.get('location')).toBe('/login');
});
