import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestIdOf } from '@/lib/foundation/http/request-id';
import { receiveHeaders } from './arrival';

const server = createServer((request, response) => {
  receiveHeaders(request, response);
  response.end(JSON.stringify(request.headers));
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());

/** Sends these headers. @returns those that the app sees, and the id that the answer bears */
async function receive(headers: Record<string, string>) {
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { headers });
  return { seen: (await answer.json()) as Record<string, string>, id: answer.headers.get('x-request-id') };
}

it('bears no id of ours where no server of ours gives them', () => {
  const claimed = requestIdOf(new Headers({ 'x-request-id': 'mine' }));
  expect(claimed).toEqual({ id: expect.stringMatching(/^[\da-f-]{36}$/), onAnswer: false });
});

describe('a request that arrives', () => {
  it.each([
    'x-nonce',
    'X-Path',
    'x-session-unknown',
    'x-page-key',
    'content-security-policy',
    'content-security-policy-report-only',
    'x-matched-path',
    'x-now-route-matches',
    'x-nextjs-data',
    'next-resume',
    'x-middleware-subrequest',
    'x-invoke-path',
    'x-next-cache-tags',
    'x-prerender-revalidate',
  ])('can’t claim %s', async (name) => {
    const { seen } = await receive({ [name]: 'forged', accept: 'text/html' });
    expect(seen).not.toHaveProperty(name.toLowerCase());
    expect(seen).toHaveProperty('accept', 'text/html');
  });

  it('keeps headers that only look alike', async () => {
    const others = { 'x-paths': '1', 'x-nextjs': '2', 'x-middle': '3', nonce: '4', 'next-resumed': '5' };
    expect((await receive(others)).seen).toMatchObject(others);
  });

  it('has its connection’s address last, whatever it says', async () => {
    expect((await receive({})).seen).toHaveProperty('x-forwarded-for', '127.0.0.1');
    const { seen } = await receive({ 'x-forwarded-for': '203.0.113.9' });
    expect(seen).toHaveProperty('x-forwarded-for', '203.0.113.9, 127.0.0.1');
  });

  it('gets an id of ours, which its answer bears too', async () => {
    const [one, two] = [await receive({ 'x-request-id': 'mine' }), await receive({ 'x-request-id': 'mine' })];
    expect(one.seen).toHaveProperty('x-request-id', one.id);
    expect(new Set([one.id, two.id, 'mine']).size).toBe(3);
    expect(requestIdOf(new Headers(one.seen))).toEqual({ id: one.id, onAnswer: true });
    expect(requestIdOf(new Headers())).toMatchObject({ onAnswer: false });
  });
});
