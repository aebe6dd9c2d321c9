import type { InngestFunction } from 'inngest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestPostgres, type TestPostgres } from './test-postgres';
import { externalBaseUrl, startRunnerFixture } from './test-runner';

let database: TestPostgres;

beforeAll(async () => {
  database = await startTestPostgres();
});
afterAll(() => database.stop());

describe.skipIf(externalBaseUrl)('what the runner does not support', () => {
  const unsupported: [string, Partial<InngestFunction.Options>][] = [
    ['batchEvents', { batchEvents: { maxSize: 10, timeout: '5s' } }],
    ['rateLimit', { rateLimit: { limit: 1, period: '1h' } }],
    ['throttle', { throttle: { limit: 1, period: '1h' } }],
    ['debounce', { debounce: { period: '1h' } }],
    ['priority', { priority: { run: '100' } }],
    ['singleton', { singleton: { mode: 'skip' } }],
    ['concurrency key', { concurrency: { limit: 1, key: 'event.data.a + "-" + event.data.b' } }],
    ['idempotency', { idempotency: 'event.data.a + event.data.b' }],
    ['cancelOn if', { cancelOn: [{ event: 'x', if: 'event.data.a == async.data.a && async.data.b > 1' }] }],
    ['trigger if', { triggers: [{ event: 'x', if: 'event.data.n > 1' }] }],
    ['trigger', { triggers: [{ event: 'inngest/function.finished' }] }],
    ['trigger', { triggers: [{ event: 'test/*' }] }],
    ['cron', { triggers: [{ cron: 'every day' }] }],
  ];
  it.each(unsupported)('refuses to start with %s and names it', async (option, options) => {
    const set = startRunnerFixture(database.databaseUrl, (client) => [
      client.createFunction({ id: 'fancy', triggers: [{ event: 'test/x' }], ...options }, async () => {}),
    ]);
    await expect(set).rejects.toThrow(`Function "testing-fancy": ${option} `);
  });
});
