import { deflateSync, gzipSync } from 'node:zlib';
import { NextRequest } from 'next/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { operation } from '@/lib/foundation/contract/operation';
import { addUser, useFreshDatabase } from '@/test/app-database';
import { newEmail, signInUser } from '@/test/auth-fixtures';
import { endpoint } from './endpoint';
import { operations } from './operations';

const LIMIT = 200_000;
const SITE = 'http://localhost:3000';

const shared = {
  method: 'POST',
  path: '/count',
  summary: '',
  description: '',
  body: z.string(),
  response: z.object({ length: z.number() }),
  errors: [],
} as const;
const count = ({ body }: { body: string }) => ({ length: body.length });
const LARGE = endpoint(operation({ ...shared, access: 'public', bodyLimit: LIMIT }), count);
const SMALL = endpoint(operation({ ...shared, access: 'public' }), count);
const SIGNED_IN = endpoint(operation({ ...shared, access: 'verified', bodyLimit: 5_000_000 }), count);

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

interface Sent {
  bytes: Buffer;
  encoding?: string;
  chunked?: boolean;
  cookie?: string;
}

async function send(POST: typeof LARGE, { bytes, encoding, chunked, cookie }: Sent) {
  const request = new NextRequest(`${SITE}/api/v1/count`, {
    method: 'POST',
    headers: {
      origin: SITE,
      ...(cookie ? { cookie } : {}),
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
      ...(chunked ? {} : { 'content-length': String(bytes.length) }),
    },
    body: chunked ? new Blob([new Uint8Array(bytes)]).stream() : new Uint8Array(bytes),
    duplex: 'half',
  });
  const answer = await POST(request, { params: Promise.resolve({}) });
  const { code, length } = await answer.json();
  return [answer.status, code ?? length];
}

/** JSON of as many bytes: a string, of which two are quotation marks. */
const json = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2));
/** 10 MB in 10 kB. */
const BOMB = gzipSync(Buffer.alloc(10_000_000));

describe.each([false, true])('a compressed body (chunked: %s)', (chunked) => {
  const gzip = (bytes: Buffer) => send(LARGE, { bytes, encoding: 'gzip', chunked });

  it('is read up to the limit, and refused with a byte more', async () => {
    expect(await gzip(gzipSync(json(LIMIT)))).toEqual([200, LIMIT - 2]);
    expect(await gzip(gzipSync(json(LIMIT + 1)))).toEqual([413, 'too_large']);
  });

  it('isn’t inflated beyond the limit', async () => {
    expect(await gzip(BOMB)).toEqual([413, 'too_large']);
    // What follows would end in an error if it were reached.
    const damaged = Buffer.concat([gzipSync(json(LIMIT + 1)), BOMB.subarray(0, 5000), Buffer.alloc(50, 1)]);
    expect(await gzip(damaged)).toEqual([413, 'too_large']);
    expect(await gzip(Buffer.concat(Array(19).fill(BOMB)))).toEqual([413, 'too_large']);
  });

  it('has the same limit while it’s compressed', async () => {
    // Stored, and so a little larger than before.
    const bytes = gzipSync(json(LIMIT), { level: 0 });
    expect(bytes.length).toBeGreaterThan(LIMIT);
    expect(await gzip(bytes)).toEqual([413, 'too_large']);
  });

  it.each<[string, Buffer]>([
    ['is cut short', gzipSync(json(1000)).subarray(0, -9)],
    ['lacks its last byte', gzipSync(json(1000)).subarray(0, -1)],
    ['is empty', Buffer.alloc(0)],
    ['is JSON', Buffer.from(json(1000))],
    ['has another format', deflateSync(json(1000))],
    ['is followed by something else', Buffer.concat([gzipSync(json(1000)), Buffer.from('x')])],
    ['fails its checksum', Buffer.concat([gzipSync(json(1000)).subarray(0, -8), Buffer.alloc(8)])],
    ['is compressed twice', gzipSync(gzipSync(json(1000)))],
    ['isn’t JSON inside', gzipSync('{"a":')],
    ['isn’t UTF-8 inside', gzipSync(Buffer.from([0x22, 0xff, 0x22]))],
    ['has nothing inside', gzipSync('')],
  ])('is refused if it %s', async (_, bytes) => {
    expect(await gzip(bytes)).toEqual([400, 'bad_request']);
  });
});

it.each(['br', 'deflate', 'zstd', 'gzip, gzip', 'gzip, identity', 'x', 'gzip;q=1'])(
  'refuses a body in the encoding %s',
  async (encoding) => {
    const bytes = gzipSync(json(1000));
    expect(await send(LARGE, { bytes, encoding })).toEqual([415, 'unsupported_media_type']);
  },
);

it('refuses compressed bodies where none may be large', async () => {
  const bytes = gzipSync(json(1000));
  expect(await send(SMALL, { bytes, encoding: 'gzip' })).toEqual([415, 'unsupported_media_type']);
  expect(await send(SMALL, { bytes: BOMB, encoding: 'gzip' })).toEqual([415, 'unsupported_media_type']);
});

it('reads plain bodies, whether or not they’re declared to be', async () => {
  const bytes = Buffer.from(json(1000));
  for (const POST of [SMALL, LARGE]) {
    for (const encoding of [undefined, '', 'identity', 'Identity'])
      expect(await send(POST, { bytes, ...(encoding === undefined ? {} : { encoding }) })).toEqual([
        200, 998,
      ]);
  }
  expect(await send(LARGE, { bytes: gzipSync(json(1000)), encoding: 'GZIP' })).toEqual([200, 998]);
});

it('inflates only for people with an account', () => {
  const large = operations.filter(({ bodyLimit = 0 }) => bodyLimit > 64_000);
  expect(large.length).toBeGreaterThan(0);
  for (const { name, access } of large) expect([name, access]).toEqual([name, 'verified']);
});

it('refuses an account that has much more inflated than any person sends', async () => {
  const cookieOf = async () => {
    const { tokens } = await signInUser(await addUser(newEmail()));
    return `next-auth.session-token=${tokens.access}`;
  };
  const [ada, bob] = [await cookieOf(), await cookieOf()];
  const bytes = gzipSync('{}'.padEnd(4_999_999));
  // It isn't a string. Each counts as 19 changes more, of 600.
  const outcomes = [];
  for (let sent = 0; sent < 200 && outcomes.at(-1) !== 429; sent += 1) {
    const [status] = await send(SIGNED_IN, { bytes, encoding: 'gzip', cookie: ada });
    outcomes.push(status);
  }
  expect(outcomes.at(-1)).toBe(429);
  expect(outcomes.length).toBeGreaterThan(30);
  expect(await send(SIGNED_IN, { bytes: Buffer.from('"a"'), cookie: ada })).toEqual([200, 1]);
  expect(await send(SIGNED_IN, { bytes, encoding: 'gzip', cookie: bob })).toEqual([400, 'validation_failed']);
});
