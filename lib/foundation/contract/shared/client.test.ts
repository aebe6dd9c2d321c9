import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, expectTypeOf, test, vi } from 'vitest';
import { z } from 'zod';
import type * as accounts from '@/lib/account/registration/contract';
import { login } from '@/lib/account/registration/routes';
import { operation } from '@/lib/foundation/contract/operation';
import type * as notes from '@/lib/journal/notes/contract';
import { deleteNote, editNote, postNote } from '@/lib/journal/notes/routes';
import { search } from '@/lib/journal/search/routes';
import { ApiError, logRejected } from './api-error';
import { type Body, call, type Route, setCallingAccount } from './client';

const ping = operation({
  method: 'GET',
  path: '/ping',
  summary: '',
  description: '',
  access: 'public',
  query: z.object({ day: z.string(), limit: z.coerce.number().optional() }),
  response: z.object({ pong: z.number() }),
  errors: [],
});
const pingRoute: Route<typeof ping> = { method: 'GET', path: '/ping' };
const ok: Route<ReturnType<typeof bare>> = { method: 'POST', path: '/ok' };
const bare = () =>
  operation({
    method: 'POST',
    path: '/ok',
    summary: '',
    description: '',
    access: 'public',
    response: z.object({}),
    errors: [],
  });

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
  const answer = await call(postNote, { params: { id: 'a/b ?#' }, body: { text: 'Hi', moment: 3 } });
  expect(answer).toEqual({ id: 'n1' });
  expect(received).toEqual([
    {
      line: 'POST /api/v1/entry/a%2Fb%20%3F%23/notes',
      account: undefined,
      body: '{"text":"Hi","moment":3}',
    },
  ]);
});

test.each(['', '..', '../../..'])(
  'rejects %j as a parameter, which would lead to another path',
  async (id) => {
    const error = await errorOf(call(deleteNote, { params: { id, noteId: 'x' } }));
    expect(error).toMatchObject({ code: 'not_found' });
    expect(received).toEqual([]);
  },
);

test('repeats the values of a list in the query and leaves out undefined ones', async () => {
  reply = () => [200, '[]'];
  await call(search, { query: { query: 'a&b', categories: ['1', '2'], from: undefined } });
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
    if (line.endsWith('/ok')) return [refreshed ? 200 : 401, '{}'];
    await vi.waitUntil(() => count('ok') === 3, { timeout: 60_000 });
    refreshed = true;
    return [200, '{}'];
  };
  await Promise.all([call(ok), call(ok), call(ok)]);
  expect([count('token/refresh'), count('ok')]).toEqual([1, 6]);
  expect(visited).toEqual([]);
});

test('goes to /login when the session is gone, and not when the caller asks for the error', async () => {
  reply = () => [401, '{"code":"unauthenticated","message":"Log in."}'];
  await expect(call(ok)).rejects.toThrow('Refresh token expired');
  expect(visited).toEqual(['/login?next=%2Fentry%2F1%3Ft%3D2']);
  expect(lines()).toEqual(['POST /api/v1/ok', 'POST /api/v1/token/refresh']);
  expect(await errorOf(call(ok, { onExpired: 'throw' }))).toMatchObject({ status: 401, message: 'Log in.' });
  expect(visited).toHaveLength(1);
});

test('goes to /login when the retry is rejected too, without a second refresh', async () => {
  reply = (line) => (line.endsWith('/ok') ? [401, '{}'] : [200, '{}']);
  await expect(call(ok)).rejects.toThrow('Refresh token expired');
  expect(lines()).toEqual(['POST /api/v1/ok', 'POST /api/v1/token/refresh', 'POST /api/v1/ok']);
});

test.each([503, 429])('throws the %s of a refresh, and stays on the page', async (status) => {
  reply = (line) =>
    line.endsWith('/ok') ? [401, '{}'] : [status, '{"code":"unavailable","message":"Busy."}'];
  expect(await errorOf(call(ok))).toMatchObject({ status, code: 'unavailable', message: 'Busy.' });
  expect(await errorOf(call(ok, { onExpired: 'throw' }))).toMatchObject({ status });
  expect(visited).toEqual([]);
});

test("doesn't refresh the session for a wrong password", async () => {
  reply = () => [401, '{"code":"invalid_credentials","message":"Incorrect email or password."}'];
  const error = await errorOf(call(login, { body: { email: 'a@example.com', password: 'wrong' } }));
  expect(error).toMatchObject({ status: 401, code: 'invalid_credentials' });
  expect(lines()).toEqual(['POST /api/v1/login']);
});

test('throws what the server says, with the sentences of the fields', async () => {
  reply = () => [400, '{"code":"validation_failed","message":"Check.","fields":{"text":"Too long."}}'];
  const error = await errorOf(call(postNote, { params: { id: '1' }, body: { text: '' } }));
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
  expectTypeOf<Body<typeof login>>().toEqualTypeOf<{
    email: string;
    password: string;
    code?: string | undefined;
  }>();
  const post = () => call(postNote, { params: { id: '1' }, body: { text: 'Hi' } });
  expectTypeOf(post).returns.resolves.toEqualTypeOf<notes.Note>();
  expectTypeOf(() => call(ok)).returns.resolves.toEqualTypeOf<Record<string, never>>();

  const either = () =>
    call(Math.random() > 0.5 ? editNote : deleteNote, {
      params: { id: '1', noteId: '2' },
      body: { text: 'Hi' },
    });
  expectTypeOf(either).returns.resolves.toEqualTypeOf<notes.Note | Record<string, never>>();

  // Never run: what must not compile.
  () => [
    // @ts-expect-error a parameter is missing
    call(deleteNote, { params: { id: '1' } }),
    // @ts-expect-error a parameter that the path doesn't have
    call(postNote, { params: { id: '1', noteId: '2' }, body: { text: 'Hi' } }),
    // @ts-expect-error no options at all
    call(postNote),
    // @ts-expect-error a value of another type
    call(postNote, { params: { id: '1' }, body: { text: 1 } }),
    // @ts-expect-error a name that the contract doesn't know
    call(postNote, { params: { id: '1' }, body: { text: 'Hi', note: 'Hi' } }),
    // @ts-expect-error a body where none is taken
    call(ok, { body: {} }),
    // @ts-expect-error a query that must be given
    call(pingRoute),
    // @ts-expect-error a query's required key
    call(pingRoute, { query: { limit: 3 } }),
    call(pingRoute, { query: { day: 'x' } }),
  ];
});

test("a route that doesn't fit its contract doesn't compile", () => {
  // @ts-expect-error another method
  const method: Route<typeof notes.postNote> = { method: 'DELETE', path: '/entry/:id/notes' };
  // @ts-expect-error another path
  const path: Route<typeof accounts.login> = { method: 'POST', path: '/log_in' };
  // @ts-expect-error another operation's contract
  const other: Route<typeof notes.editNote> = postNote;
  expect([method.path, path.path, other.path]).toHaveLength(3);
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
