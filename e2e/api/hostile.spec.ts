import * as fc from 'fast-check';
import type { z } from 'zod';
import { ERRORS } from '@/lib/http/errors';
import type { Operation } from '@/lib/http/operation';
import { operations } from '@/lib/http/operations';
import '@/test/properties';
import { openAccount } from '../accounts';
import { pathOf } from '../client';
import { insertEntry, userIdOf } from '../database';
import { expect, test } from '../fixtures';

const NASTY = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202egnp.exe',
  "'; drop table entries; --",
  '<script>alert(1)</script>',
  '{{7*7}}',
  '../../../etc/passwd',
  '%00%0d%0aSet-Cookie: a=b',
  '-1',
  '1e999',
  'NaN',
  '99999999999999999999',
  '9999-12-31',
  '0000-00-00',
  '2026-02-30',
  '+275760-09-13',
  '00000000-0000-0000-0000-000000000000',
  'a'.repeat(3000),
  '👩‍👩‍👧‍👦'.repeat(30),
  'W10=',
  'WyIyMDI2LTAxLTAxIiwiOTk5OTktMDEtMDEiLCJ4Il0=',
];

const text = fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: 'binary', maxLength: 300 }));
const anything = fc.oneof(
  text,
  fc.jsonValue(),
  fc.double(),
  fc.maxSafeInteger(),
  fc.array(text, { maxLength: 5 }),
);
const namesOf = (type: z.ZodType | undefined) =>
  Object.keys((type as { shape?: object } | undefined)?.shape ?? {});

/** Input with the names that an operation knows, and values that it does not expect. */
function hostileInput({ params, query, body }: Operation, id: string) {
  const named = (names: string[], value: fc.Arbitrary<unknown>) =>
    fc.record(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: [] });
  return fc.record({
    params: fc.record(
      Object.fromEntries(namesOf(params).map((name) => [name, fc.oneof(fc.constant(id), text)])),
    ) as fc.Arbitrary<Record<string, string>>,
    query: named([...namesOf(query), '__proto__', 'more'], text) as fc.Arbitrary<Record<string, string>>,
    body: fc.oneof(
      { arbitrary: named([...namesOf(body), '__proto__'], anything), weight: 4 },
      { arbitrary: anything, weight: 1 },
    ),
  });
}

for (const operation of operations) {
  test(`${operation.method} ${operation.path} takes no harm from hostile input`, async ({
    app,
    mailbox,
    sql,
  }) => {
    const { email, api } = await openAccount(app.url, mailbox);
    const id = await insertEntry(sql, await userIdOf(sql, email), { videoStatus: 'failed' });
    const signedIn = { cookie: [...api.cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
    await fc.assert(
      fc.asyncProperty(hostileInput(operation, id), async ({ params, query, body }) => {
        // A lone surrogate cannot be written in an address at all, and nothing or dots alone mean another address.
        const asSent = (value: string) =>
          encodeURIComponent(Buffer.from(value).toString()).replace(/^\.*$/, 'x');
        const path = pathOf({
          ...operation,
          path: operation.path.replace(/:(\w+)/g, (_, name) => asSent(params[name] ?? '')) as `/${string}`,
        });
        const response = await api.send(operation.method, `${path}?${new URLSearchParams(query)}`, {
          headers: { ...signedIn, 'content-type': 'application/json' },
          ...(operation.method === 'GET' ? {} : { body: JSON.stringify(body) ?? '' }),
        });
        const answer = await response.text();
        expect(response.status, answer).toBeLessThan(500);
        if (response.status === 308 || response.status === 307) return;
        if (response.ok) operation.answer?.parse(JSON.parse(answer));
        else if (response.status !== 405) expect(Object.keys(ERRORS)).toContain(JSON.parse(answer).code);
      }),
      { numRuns: 30 },
    );
  });
}
