import { describe, expect, it } from 'vitest';
import { setUpRunner } from './test-fixture';
import { externalBaseUrl, waitUntil } from './test-runner';

const { play } = setUpRunner();

describe.skipIf(externalBaseUrl)('Inngest’s limits', () => {
  it('fails an attempt that doesn’t end in time', async () => {
    const { app, runs } = await play(
      (client) => [
        client.createFunction({ id: 'endless', retries: 1, triggers: [{ event: 'test/endless' }] }, () => {
          return new Promise<void>(() => {});
        }),
      ],
      { timeScale: 0.001, limits: { requestMs: 500 } },
    );
    await app.client.send({ name: 'test/endless', data: {} });
    await waitUntil('the end', async () => (await runs()).some(({ ended }) => ended));
    expect(await runs()).toMatchObject([
      { status: 'failed', attempts: 2, error: expect.stringContaining('No answer within 0.5 s.') },
    ]);
  });

  it('refuses a step’s output over 4 MiB, after the usual attempts', async () => {
    let begun = 0;
    const { app, runs } = await play(
      (client) => [
        client.createFunction(
          { id: 'large', retries: 1, triggers: [{ event: 'test/large' }] },
          async (input) => {
            await input.step.run('fits', () => 'x'.repeat(4 * 1024 * 1024 - 2));
            await input.step.run('too much', () => {
              begun += 1;
              return 'x'.repeat(4 * 1024 * 1024);
            });
          },
        ),
      ],
      { timeScale: 0.001 },
    );
    await app.client.send({ name: 'test/large', data: {} });
    await waitUntil('the end', async () => (await runs()).some(({ ended }) => ended));
    expect(begun).toBe(2);
    expect(await runs()).toMatchObject([
      { status: 'failed', steps: 1, error: expect.stringContaining('output size is greater than the limit') },
    ]);
  });

  it.each([
    [
      'state',
      { stateBytes: 10_000 },
      'InngestErrStateOverflowed: The function run exceeded the state size limit',
    ],
    [
      'steps',
      { steps: 5 },
      'InngestErrFunctionOverflowed: The function run exceeded the step limit of 5 steps.',
    ],
  ])('ends a run with too much %s at once', async (_, limits, error) => {
    let begun = 0;
    const { app, runs } = await play(
      (client) => [
        client.createFunction({ id: 'many', triggers: [{ event: 'test/many' }] }, async ({ step }) => {
          for (let number = 0; number < 10; number += 1) {
            await step.run(`step ${number}`, () => {
              begun += 1;
              return 'x'.repeat(1800);
            });
          }
        }),
      ],
      { limits },
    );
    await app.client.send({ name: 'test/many', data: {} });
    await waitUntil('the end', async () => (await runs()).some(({ ended }) => ended));
    expect(await runs()).toMatchObject([
      { status: 'failed', attempts: 1, error: expect.stringContaining(error) },
    ]);
    expect(begun).toBeLessThan(10);
  });
});
