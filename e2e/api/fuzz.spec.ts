import { test as base, expect } from '@/e2e/fixtures';
import { findValidInput, fuzzOperation } from '@/e2e/fuzz/fuzz-operation';
import { type SeededAccount, seedFullAccount } from '@/e2e/fuzz/seeded-account';
import { operations } from '@/lib/api/operations';
import type { FuzzRequest } from '@/test/fuzz/request-builder';
import { fuzzRequests } from '@/test/fuzz/requests';
import { optionalNames } from '@/test/fuzz/schema-walker';
import { ofThisRun, shareNotice } from '@/test/fuzz/share';
import { describeDelay, longestDelay } from '@/test/longest-delay';

const test = base.extend<object, { world: SeededAccount; unverified: SeededAccount }>({
  world: [async ({ app, sql }, use) => use(await seedFullAccount(app, sql)), { scope: 'worker' }],
  unverified: [async ({ app, sql }, use) => use(await seedFullAccount(app, sql, false)), { scope: 'worker' }],
});

const COOKIES = [
  ...['next-auth.session-token', 'daylight.refresh', 'daylight.registered', 'daylight.device'],
  ...['next-auth.callback-url', 'next-auth.csrf-token', 'daylight.renewed'],
];
/** Those who may not call an operation, or only a public one, are sent every so many of its requests. */
const SAMPLE_RATE = 8;

// Each worker says it, of all that any of them has sent so far.
test.afterAll(({ app }) => console.log(describeDelay(longestDelay(app.dataDir))));

/** Collects what's wrong, with one value for each kind. */
function newReport() {
  const found = new Map<string, { value: string; count: number }>();
  return {
    note: (who: string) => (request: FuzzRequest, problems: string[]) => {
      for (const problem of problems) {
        const kind = `${who}, ${request.input}: ${problem}`;
        const { value, count } = found.get(kind) ?? { value: request.value, count: 0 };
        found.set(kind, { value, count: count + 1 });
      }
    },
    lines: () =>
      [...found].map(([kind, { value, count }]) => `${kind} (${count} times, first with ${value})`),
  };
}

for (const [turn, operation] of operations.entries()) {
  test(`${operation.method} ${operation.path} answers hostile input right`, async ({
    app,
    world,
    unverified,
  }) => {
    await world.restore();
    const { base, status } = await findValidInput(operation, app.url, world);
    // Else the account has nothing of this kind, and no value gets past its id. Providers may not be configured.
    if (/:(id|\w+Id)\b/.test(operation.path)) expect(status).not.toBe(404);
    const requests = ofThisRun(fuzzRequests(operation, base, COOKIES, turn), turn);
    const report = newReport();
    await fuzzOperation(operation, requests, app.url, world, report.note('signed in'));
    const some = requests.filter((_, index) => index % SAMPLE_RATE === turn % SAMPLE_RATE);
    await fuzzOperation(operation, some, app.url, unverified, report.note('unverified'));
    await fuzzOperation(operation, some, app.url, undefined, report.note('anonymous'));
    expect(report.lines(), shareNotice).toEqual([]);
  });
}

test('counts what the tests above send', () => {
  const planned = operations.flatMap((operation, turn) => {
    const good = { hints: {}, params: {}, chosen: new Set(optionalNames(operation)) };
    return fuzzRequests(operation, good, COOKIES, turn).map((request) => ({ operation, ...request }));
  });
  const inputs = new Set(
    planned.map(({ operation, input }) => `${operation.method} ${operation.path} ${input}`),
  );
  const declared = [...inputs].filter((input) => !/ (header|cookie) /.test(input)).length;
  const values = new Set(planned.map(({ value }) => value)).size;
  const sent = operations.flatMap((operation, turn) =>
    ofThisRun(
      planned.filter((request) => request.operation === operation),
      turn,
    ),
  );
  console.log(
    `Hostile input: ${operations.length} operations, ${declared} inputs and ${inputs.size - declared} headers and cookies, ${values} values, about ${planned.length} requests. This run sends ${sent.length} (${shareNotice}).`,
  );
  expect(declared).toBeGreaterThan(operations.length);
});
