import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { operations } from '@/lib/api/operations';
import { type Account, seedAccount } from '../accounts';
import { createClient, pathOf } from '../client';
import { insertEntry, snapshotAccount, userIdOf } from '../database';
import { test as base, expect } from '../fixtures';
import { sampleInput } from '../sample';
import { expectError, expectHeaders } from './response-assertions';

interface TestAccounts {
  /** Somebody else, and the ids of all kinds of things they have. */
  stranger: { userId: string; ids: string[] };
  unverified: Account;
}

const test = base.extend<object, { cast: TestAccounts }>({
  cast: [
    async ({ app, sql }, use) => {
      const [other, unverified] = [await seedAccount(app.url, sql), await seedAccount(app.url, sql, false)];
      const userId = await userIdOf(sql, other.email);
      const entry = await insertEntry(sql, userId);
      const ids = [
        entry,
        await insertEntry(sql, userId, { videoStatus: 'uploading' }),
        await insertEntry(sql, userId, { trashed: true }),
        randomUUID(),
        randomUUID(),
        randomUUID(),
      ];
      await sql`insert into tags ${sql({ id: ids[3] ?? '', user_id: userId, name: 'Theirs' })}`;
      await sql`insert into notes ${sql({ id: ids[4] ?? '', entry_id: entry, text: 'Theirs' })}`;
      const started = { kind: 'files', name: 'Theirs' };
      await sql`insert into imports ${sql({ id: ids[5] ?? '', user_id: userId, ...started })}`;
      await use({ stranger: { userId, ids }, unverified });
    },
    { scope: 'worker' },
  ],
});

const DEFAULT_LIMIT = 64_000;

/** How browsers mark what another page has started (Fetch Metadata), and how older ones do. */
const CROSS_SITE_HEADERS: Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'none' },
  { origin: 'https://elsewhere.example' },
  { origin: 'null' },
];

for (const operation of operations) {
  test.describe(`${operation.method} ${operation.path}`, () => {
    const { access } = operation;

    if (access !== 'public') {
      test('refuses nobody in particular', async ({ anonymous }) => {
        await expectError(
          await anonymous.sendOperation(operation, sampleInput(operation)),
          'unauthenticated',
        );
        const forged = { cookie: 'next-auth.session-token=forged' };
        await expectError(
          await anonymous.sendOperation(operation, sampleInput(operation), forged),
          'unauthenticated',
        );
      });
    }

    if (access === 'verified') {
      test('refuses an unverified account', async ({ cast }) => {
        const answer = await cast.unverified.api.sendOperation(operation, sampleInput(operation));
        await expectError(answer, 'email_not_verified');
      });
    }

    if (access === 'verified' && operation.path.includes(':id')) {
      test('answers a foreign id like one of nothing', async ({ api, cast, sql }) => {
        const input = sampleInput(operation);
        const before = await snapshotAccount(sql, cast.stranger.userId);
        const missing = await expectError(await api.sendOperation(operation, input), 'not_found');
        for (const id of [...cast.stranger.ids, 'not-an-id', '../entries']) {
          const foreign = await api.sendOperation(operation, { ...input, params: { ...input.params, id } });
          expect(await expectError(foreign, 'not_found')).toEqual(missing);
        }
        expect(await snapshotAccount(sql, cast.stranger.userId)).toBe(before);
      });
    }

    if (operation.method !== 'GET' || operation.changesState) {
      test('refuses what another site has started', async ({ account, sql }) => {
        const userId = await userIdOf(sql, account.email);
        const id = await insertEntry(sql, userId, { videoStatus: 'uploading' });
        const input = sampleInput(operation);
        if (input.params?.id) input.params.id = id;
        const before = await snapshotAccount(sql, userId);
        for (const headers of CROSS_SITE_HEADERS) {
          const answer = await account.api.sendOperation(operation, input, headers);
          await expectError(answer, 'cross_site_request');
          expect(answer.headers.getSetCookie()).toEqual([]);
        }
        expect(await snapshotAccount(sql, userId)).toBe(before);
      });
    }

    if (operation.body) {
      test('refuses a body that is no JSON, and one that is too large', async ({ api }) => {
        const input = sampleInput(operation);
        const send = (body: BodyInit, more: Record<string, unknown> = {}) =>
          api.send(operation.method, pathOf(operation, input), {
            headers: { 'content-type': 'application/json' },
            body,
            ...more,
          });
        await expectError(await send('{"title":'), 'bad_request');
        await expectError(await send(''), 'bad_request');
        await expectError(await send(new Uint8Array([0xff, 0xfe, 0x22])), 'bad_request');
        const large = `"${'x'.repeat(operation.bodyLimit ?? DEFAULT_LIMIT)}"`;
        await expectError(await send(large), 'too_large');
        // Without a declared length the bytes themselves are counted.
        await expectError(await send(new Blob([large]).stream(), { duplex: 'half' }), 'too_large');
        const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
        const compressed = await send(gzipSync(`${large}x`), { headers });
        await expectError(compressed, operation.bodyLimit ? 'too_large' : 'unsupported_media_type');
        for (const wrong of ['null', '[]', '"text"', '7', '{}']) {
          const answer = await send(wrong);
          expect(answer.status, wrong).toBeLessThan(500);
        }
      });
    }

    test('bears the headers of every answer', async ({ app, account }) => {
      const client = access === 'public' ? createClient(app.url) : account.api;
      expectHeaders(await client.sendOperation(operation, sampleInput(operation)));
    });
  });
}
