import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';

async function addressOf(forwarded: string, settings: { proxies?: string; vercel?: string } = {}) {
  vi.resetModules();
  for (const [name, value] of Object.entries(NEEDED)) vi.stubEnv(name, value);
  vi.stubEnv('TRUSTED_PROXIES', settings.proxies ?? '');
  vi.stubEnv('VERCEL', settings.vercel ? '1' : '');
  const { clientAddress } = await import('./client-address');
  const headers = new Headers({ 'x-forwarded-for': forwarded });
  if (settings.vercel) headers.set('x-vercel-forwarded-for', settings.vercel);
  return clientAddress(headers);
}

const NEEDED = {
  APP_URL: 'http://localhost',
  AUTH_SECRET: 'x'.repeat(32),
  DATABASE_URL: 'postgres://x',
  S3_REGION: 'x',
  S3_BUCKET: 'x',
  S3_ACCESS_KEY_ID: 'x',
  S3_SECRET_ACCESS_KEY: 'x',
  INNGEST_EVENT_KEY: 'x',
  INNGEST_SIGNING_KEY: 'x',
  RESEND_API_KEY: 'x',
  MAIL_FROM: 'a@b',
  SPEECH_BASE_URL: 'http://localhost',
  STRIPE_SECRET_KEY: 'x',
  STRIPE_WEBHOOK_SECRET: 'x',
};

afterEach(() => vi.unstubAllEnvs());

describe('the address of a client', () => {
  it.each([
    ['the connection itself', '192.0.2.7', '0', '192.0.2.7'],
    ['nothing that the client says', '198.51.100.1, 192.0.2.7', '0', '192.0.2.7'],
    ['what one proxy of ours saw', '198.51.100.1, 203.0.113.5, 192.0.2.7', '1', '203.0.113.5'],
    ['what the outer of two saw', '198.51.100.1, 203.0.113.5, 10.0.0.1, 10.0.0.2', '2', '203.0.113.5'],
    ['the last hop that is an address', 'unknown, 10.0.0.2', '1', '10.0.0.2'],
    ['the first hop, when there are fewer than said', '192.0.2.7', '3', '192.0.2.7'],
    ['an IPv4 address in IPv6 clothes', '::ffff:192.0.2.7', '0', '192.0.2.7'],
    ['the /64 network of an IPv6 address', '2001:db8:1:2:3:4:5:6', '0', '2001:db8:1:2::/64'],
    ['that network however it is written', '2001:0DB8:1:2::9', '0', '2001:db8:1:2::/64'],
    ['the loopback', '::1', '0', '0:0:0:0::/64'],
    ['nothing, when there is nothing', '', '0', ''],
  ])('is %s', async (_, forwarded, proxies, expected) => {
    expect(await addressOf(forwarded, { proxies })).toBe(expected);
  });

  it('is what the platform says on Vercel', async () => {
    expect(await addressOf('198.51.100.1', { vercel: '203.0.113.5' })).toBe('203.0.113.5');
  });
});

it('knows a browser by its cookie, and by nothing that isn’t a token of ours', async () => {
  vi.resetModules();
  for (const [name, value] of Object.entries(NEEDED)) vi.stubEnv(name, value);
  const { clientOf } = await import('./client-address');
  const deviceOf = (cookie: string) => clientOf(new Headers(cookie ? { cookie } : {})).device;
  const token = 'aZ09-_'.repeat(8).slice(0, 43);
  expect(deviceOf(`a=b; daylight.device=${token}; c=d`)).toBe(token);
  for (const wrong of ['', token.slice(1), `${token}x`, `${token.slice(1)}.`, `${token.slice(1)}é`])
    expect(deviceOf(`daylight.device=${encodeURI(wrong)}`)).toBeUndefined();
  expect(deviceOf(`x-daylight.device=${token}`)).toBeUndefined();
  expect(deviceOf('')).toBeUndefined();
});

it('finds the /48 network around an IPv6 client, and none around an IPv4 one', async () => {
  const { siteNetwork } = await import('./client-address');
  expect(siteNetwork('2001:db8:1:2::/64')).toBe('2001:db8:1::/48');
  expect(siteNetwork('192.0.2.7')).toBeUndefined();
  expect(siteNetwork('')).toBeUndefined();
});

it('adds the connection to the header of every request, whatever the client has sent', async () => {
  vi.resetModules();
  for (const [name, value] of Object.entries({ ...NEEDED, TRUSTED_PROXIES: '1' })) vi.stubEnv(name, value);
  const { addPeerAddress, clientAddressOf } = await import('./client-address');
  const seen: IncomingMessage['headers'][] = [];
  const clients: string[] = [];
  const server = createServer((request, response) => {
    addPeerAddress(request);
    seen.push(request.headers);
    clients.push(clientAddressOf(request));
    response.end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await fetch(url);
  await fetch(url, { headers: { 'x-forwarded-for': '198.51.100.1' } });
  server.close();
  expect(seen.map((headers) => headers['x-forwarded-for'])).toEqual(['127.0.0.1', '198.51.100.1, 127.0.0.1']);
  expect(clients).toEqual(['127.0.0.1', '198.51.100.1']);
});
