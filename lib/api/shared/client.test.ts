import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, expectTypeOf, test, vi } from 'vitest';
import { ApiError, logRejected } from '@/lib/foundation/contract/shared/api-error';
import type { Note } from '@/lib/journal/notes/contract';
import { type Body, call, setCallingAccount } from './client';

const ok = 'POST /account_deletion/cancel';

interface Received {
  line: string;
  account: string | undefined;
  body: string;
}

type Reply = [status: number, body: string] | 'cut';

let received: Received[];
let reply: (line: string) => Reply | Promise<Reply>;
let visited: string[];
let origin: string;
let stop: () => Promise<void>;

async function handle(request: IncomingMessage, response: ServerResponse) {
  const line = `${request.method} ${request.url}`;
  let body = '';
  for await (const chunk of request) body += chunk;
  received.push({ line, account: request.headers['x-account-id']?.toString(), body });
  const answer = await reply(line);
  if (answer === 'cut') request.socket.destroy();
  else response.writeHead(answer[0], { 'content-type': 'application/json' }).end(answer[1]);
}

beforeEach(async () => {
  received = [];
  visited = [];
  reply = () => [200, '{}'];
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  stop = () => new Promise((resolve) => server.close(() => resolve()));
  // What the client takes from the browser; requests go to a real server.
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetch(new URL(path, origin), init));
  vi.stubGlobal('document', { cookie: '' });
  vi.stubGlobal('navigator', {});
  const assign = (address: string) => void visited.push(address);
  vi.stubGlobal('window', { location: { pathname: '/entry/1', search: '?t=2', assign } });
});

afterEach(async () => {
  vi.unstubAllGlobals();
  setCallingAccount(null);
  await stop();
});

const lines = () => received.map(({ line }) => line);
const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('the call succeeded'),
    (error: unknown) => error,
  );

test("encodes a path's parameters and sends the body as JSON", async () => {
  reply = () => [201, '{"id":"n1"}'];
  const answer = await call('POST /entry/:id/notes', {
    params: { id: 'a/b ?#' },
    body: { text: 'Hi', moment: 3 },
  });
  expect(answer).toEqual({ id: 'n1' });
  expect(received).toEqual([
    {
      line: 'POST /api/v1/entry/a%2Fb%20%3F%23/notes',
      account: undefined,
      body: '{"text":"Hi","moment":3}',
    },
  ]);
});

test.each(['', '.', '..'])('rejects %j as a parameter, which would lead to another path', async (id) => {
  const error = await errorOf(call('DELETE /entry/:id/notes/:noteId', { params: { id, noteId: 'x' } }));
  expect(error).toMatchObject({ code: 'not_found' });
  expect(received).toEqual([]);
});

test('repeats the values of a list in the query and leaves out undefined ones', async () => {
  reply = () => [200, '[]'];
  await call('GET /search', { query: { query: 'a&b', categories: ['1', '2'], from: undefined } });
  expect(lines()).toEqual(['GET /api/v1/search?query=a%26b&categories=1&categories=2']);
});

test("names the page's account in every call", async () => {
  setCallingAccount('u1');
  await call(ok);
  expect(received[0]?.account).toBe('u1');
});

test('refreshes the session once for parallel calls and retries each once', async () => {
  const count = (name: string) => lines().filter((line) => line === `POST /api/v1/${name}`).length;
  let refreshed = false;
  reply = async (line) => {
    if (line.endsWith('/cancel')) return [refreshed ? 200 : 401, '{}'];
    await vi.waitUntil(() => count('account_deletion/cancel') === 3, { timeout: 60_000 });
    refreshed = true;
    return [200, '{}'];
  };
  await Promise.all([call(ok), call(ok), call(ok)]);
  expect([count('token/refresh'), count('account_deletion/cancel')]).toEqual([1, 6]);
  expect(visited).toEqual([]);
});

test.each([
  ['not again if another tab has since the call', 1, []],
  ['if another tab did before it', -60_000, ['POST /api/v1/token/refresh']],
])('refreshes the session %s', async (_, after, refreshes) => {
  let isRejected = false;
  reply = () => {
    if (isRejected) return [200, '{}'];
    isRejected = true;
    vi.stubGlobal('document', { cookie: `daylight.renewed=${Date.now() + after}` });
    return [401, '{}'];
  };
  await call(ok);
  const sent = 'POST /api/v1/account_deletion/cancel';
  expect(lines()).toEqual([sent, ...refreshes, sent]);
});

test('goes to /login when the session is gone, and not when the caller asks for the error', async () => {
  reply = () => [401, '{"code":"unauthenticated","message":"Log in."}'];
  await expect(call(ok)).rejects.toThrow('Refresh token expired');
  expect(visited).toEqual(['/login?next=%2Fentry%2F1%3Ft%3D2']);
  expect(lines()).toEqual(['POST /api/v1/account_deletion/cancel', 'POST /api/v1/token/refresh']);
  expect(await errorOf(call(ok, { onExpired: 'throw' }))).toMatchObject({ status: 401, message: 'Log in.' });
  expect(visited).toHaveLength(1);
});

test('goes to /login when the retry is rejected too, without a second refresh', async () => {
  reply = (line) => (line.endsWith('/cancel') ? [401, '{}'] : [200, '{}']);
  await expect(call(ok)).rejects.toThrow('Refresh token expired');
  expect(lines()).toEqual([
    'POST /api/v1/account_deletion/cancel',
    'POST /api/v1/token/refresh',
    'POST /api/v1/account_deletion/cancel',
  ]);
});

test.each([503, 429])('throws the %s of a refresh, and stays on the page', async (status) => {
  reply = (line) =>
    line.endsWith('/cancel') ? [401, '{}'] : [status, '{"code":"unavailable","message":"Busy."}'];
  expect(await errorOf(call(ok))).toMatchObject({ status, code: 'unavailable', message: 'Busy.' });
  expect(await errorOf(call(ok, { onExpired: 'throw' }))).toMatchObject({ status });
  expect(visited).toEqual([]);
});

test("doesn't refresh the session for a wrong password", async () => {
  reply = () => [401, '{"code":"invalid_credentials","message":"Incorrect email or password."}'];
  const error = await errorOf(call('POST /login', { body: { email: 'a@example.com', password: 'wrong' } }));
  expect(error).toMatchObject({ status: 401, code: 'invalid_credentials' });
  expect(lines()).toEqual(['POST /api/v1/login']);
});

test('throws what the server says, with the sentences of the fields', async () => {
  reply = () => [400, '{"code":"validation_failed","message":"Check.","fields":{"text":"Too long."}}'];
  const error = await errorOf(call('POST /entry/:id/notes', { params: { id: '1' }, body: { text: '' } }));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    code: 'validation_failed',
    message: 'Check.',
    fields: { text: 'Too long.' },
  });
});

test.each<Reply>(['cut', [200, '<html>'], [502, '<html>']])('says Network Error after %j', async (answer) => {
  reply = () => answer;
  expect(await errorOf(call(ok))).toMatchObject({ message: 'Network Error' });
});

test('passes on the abort of a cancelled call', async () => {
  expect(await errorOf(call(ok, { signal: AbortSignal.abort() }))).toMatchObject({ name: 'AbortError' });
});

test('takes its types from the contracts', () => {
  type Name = Parameters<typeof call>[0];
  type Options<N extends Name> = NonNullable<Parameters<typeof call<N>>[1]>;

  // No other method or path, and nothing that responds with a file.
  expectTypeOf<'POST /entry/:id/notes' | 'GET /plans'>().toExtend<Name>();
  expectTypeOf<'DELETE /entry/:id/notes'>().not.toExtend<Name>();
  expectTypeOf<'POST /log_in'>().not.toExtend<Name>();
  expectTypeOf<'GET /entry/:id/video'>().not.toExtend<Name>();

  expectTypeOf<Options<'POST /entry/:id/notes'>['params']>().toEqualTypeOf<{ id: string }>();
  expectTypeOf<Options<'DELETE /entry/:id/notes/:noteId'>['params']>().toEqualTypeOf<{
    id: string;
    noteId: string;
  }>();
  expectTypeOf<Options<'POST /login'>['body']>().toEqualTypeOf<Body<'POST /login'>>();
  expectTypeOf<Body<'POST /login'>>().toEqualTypeOf<{
    email: string;
    password: string;
    code?: string | undefined;
  }>();
  expectTypeOf<Options<typeof ok>['body']>().toEqualTypeOf<undefined>();
  expectTypeOf<Options<'GET /presigned_url'>['query']>().toExtend<{ title: string }>();

  // What can be left out.
  expectTypeOf<[typeof ok]>().toExtend<Parameters<typeof call<typeof ok>>>();
  expectTypeOf<['GET /search']>().toExtend<Parameters<typeof call<'GET /search'>>>();
  expectTypeOf<['GET /presigned_url']>().not.toExtend<Parameters<typeof call<'GET /presigned_url'>>>();
  expectTypeOf<{ params: { id: string } }>().not.toExtend<Options<'POST /entry/:id/notes'>>();

  expectTypeOf(call<'POST /entry/:id/notes'>).returns.resolves.toEqualTypeOf<Note>();
  expectTypeOf(call<typeof ok>).returns.resolves.toEqualTypeOf<Record<string, never>>();

  // An operation of several that take the same.
  const either = (action: 'dismiss' | 'restore') =>
    call(`POST /onboarding/${action}`, { body: { step: 'sample' } });
  expectTypeOf(either).returns.resolves.toEqualTypeOf<Record<string, never>>();
});

test('a failed call that nothing shows is logged, and one that was canceled isn’t', async () => {
  const logged = vi.spyOn(console, 'info').mockImplementation(() => {});
  reply = () => [503, '{"message":"We’re busy right now.","code":"busy"}'];
  expect(await call(ok).catch(logRejected)).toBeNull();
  expect(logged.mock.calls).toEqual([['Rejecting', new ApiError(503, 'busy', 'We’re busy right now.')]]);
  expect(await call(ok, { signal: AbortSignal.abort() }).catch(logRejected)).toBeNull();
  expect(logged).toHaveBeenCalledOnce();
  logged.mockRestore();
});
