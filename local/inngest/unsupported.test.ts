import { type Context, type InngestFunction, referenceFunction } from 'inngest';
import { describe, expect, it } from 'vitest';
import { setUpRunner } from './test-fixture';
import { externalBaseUrl, waitUntil } from './test-runner';

const { play } = setUpRunner();

describe.skipIf(externalBaseUrl)('unsupported features', () => {
  const options: [string, Partial<InngestFunction.Options>][] = [
    ['batchEvents', { batchEvents: { maxSize: 10, timeout: '5s' } }],
    ['rateLimit', { rateLimit: { limit: 1, period: '1h' } }],
    ['throttle', { throttle: { limit: 1, period: '1h' } }],
    ['debounce', { debounce: { period: '1h' } }],
    ['priority', { priority: { run: '100' } }],
    ['singleton', { singleton: { mode: 'skip' } }],
    ['idempotency', { idempotency: 'event.data.a' }],
    ['timeouts', { timeouts: { finish: '1h' } }],
    ['concurrency', { concurrency: { limit: 1, scope: 'account' } }],
    ['concurrency key', { concurrency: { limit: 1, key: 'event.data.a + "-" + event.data.b' } }],
    ['cancel', { cancelOn: [{ event: 'x', timeout: '1h' }] }],
    ['cancelOn if', { cancelOn: [{ event: 'x', if: 'event.data.a == async.data.a && async.data.b > 1' }] }],
    ['trigger if', { triggers: [{ event: 'x', if: 'event.data.n > 1' }] }],
    ['trigger', { triggers: [{ event: 'inngest/function.finished' }] }],
    ['trigger', { triggers: [{ event: 'test/*' }] }],
    ['cron', { triggers: [{ cron: 'every day' }] }],
    ['cron', { triggers: [{ cron: 'TZ=Europe/Paris 30 6 * * *' }] }],
  ];
  it.each(options)(
    'refuses to register a function with %s, and names the option',
    async (option, settings) => {
      const set = play((client) => [
        client.createFunction({ id: 'fancy', triggers: [{ event: 'test/x' }], ...settings }, async () => {}),
      ]);
      await expect(set).rejects.toThrow(`Function "testing-fancy": ${option}`);
    },
  );

  type Input = Context.Any;
  const steps: [string, (input: Input) => Promise<unknown>, string][] = [
    ['an event', ({ step }) => step.waitForEvent('wait', { event: 'x', timeout: '1h' }), 'WaitForEvent'],
    [
      'another function',
      ({ step }) => step.invoke('call', { function: referenceFunction({ functionId: 'other' }) }),
      'InvokeFunction',
    ],
    [
      'a race',
      ({ step, group }) =>
        group.parallel({ mode: 'race' }, () =>
          Promise.race(['a', 'b'].map((name) => step.run(name, () => name))),
        ),
      'Racing steps',
    ],
  ];
  it.each(steps)('fails a run that uses %s, and says so', async (_, ask, named) => {
    const { app, runs } = await play((client) => [
      client.createFunction({ id: 'fancy', triggers: [{ event: 'test/fancy' }] }, (input) => ask(input)),
    ]);
    await app.client.send({ name: 'test/fancy', data: {} });
    const failed = await waitUntil('the failure', async () =>
      (await runs()).find((run) => run.status === 'failed'),
    );
    expect(failed.error).toContain(named);
    expect(failed.error).toContain('not supported by the local runner');
  });
});
