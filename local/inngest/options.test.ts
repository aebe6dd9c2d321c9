import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { setUpRunner } from './test-fixture';
import { externalBaseUrl, type Functions, type RunnerFixture, waitUntil } from './test-runner';

const HOUR = 3_600_000;

const fixture = setUpRunner();

/**
 * Starts a runner. `handled()` sends one more event and waits for its run, so everything due before it has started.
 */
async function play(functions: Functions): Promise<RunnerFixture & { handled(): Promise<void> }> {
  let sent = 0;
  let seen = 0;
  const set = await fixture.play((client) => [
    ...functions(client),
    client.createFunction({ id: 'mark', triggers: [{ event: 'test/mark' }] }, async () => {
      seen += 1;
    }),
  ]);
  return {
    ...set,
    async handled() {
      sent += 1;
      await set.app.client.send({ name: 'test/mark', data: {} });
      await waitUntil('the mark', () => seen === sent);
    },
  };
}

describe.skipIf(externalBaseUrl)('retries', () => {
  it('makes four attempts by default, with Inngest’s delays, and then fails', async () => {
    const attempts: number[] = [];
    const { app, advance, runs, handled } = await play((client) => [
      client.createFunction(
        { id: 'failing', triggers: [{ event: 'test/fail' }] },
        async ({ step, attempt }) => {
          await step.run('fail', () => {
            attempts.push(attempt);
            throw new Error('<b>no</b> luck');
          });
        },
      ),
    ]);
    await app.client.send({ name: 'test/fail', data: {} });
    for (const [index, seconds] of [15, 30, 60].entries()) {
      await waitUntil('an attempt', async () => attempts.length === index + 1);
      await waitUntil('its note', async () => (await runs()).some((run) => run.attempts === index + 1));
      advance((seconds - 5) * 1000);
      await handled();
      expect(attempts).toHaveLength(index + 1);
      advance(35_000);
    }
    await waitUntil('the end', async () => (await runs()).some((run) => run.status === 'failed'));
    expect(attempts).toEqual([0, 1, 2, 3]);
    const failed = (await runs()).find((run) => run.status === 'failed');
    expect(failed).toMatchObject({
      function: 'testing-failing',
      attempts: 4,
      error: 'Error: <b>no</b> luck',
    });
  });
});

describe.skipIf(externalBaseUrl)('cancelOn', () => {
  it('stops only matching runs, between steps', async () => {
    const begun: string[] = [];
    const ended: string[] = [];
    const { app, advance, runs, handled } = await play((client) =>
      [{ match: 'data.entry' }, { if: 'async.data.entry == event.data.entry' }].map((rule, index) =>
        client.createFunction(
          {
            id: `cancellable-${index}`,
            triggers: [{ event: 'test/long' }],
            cancelOn: [{ event: 'test/deleted', ...rule }],
          },
          async ({ event, step }) => {
            await step.run('begin', () => begun.push(event.data['entry'] as string));
            await step.sleep('wait', '1h');
            await step.run('end', () => ended.push(event.data['entry'] as string));
          },
        ),
      ),
    );
    await app.client.send(['a', 'b'].map((entry) => ({ name: 'test/long', data: { entry } })));
    await waitUntil('the sleeps', () => begun.length === 4);
    await app.client.send({ name: 'test/deleted', data: { entry: 'a' } });
    await app.client.send({ name: 'test/deleted', data: {} });
    await waitUntil('the cancellation', async () => {
      advance(1000);
      return (await runs()).filter((run) => run.status === 'cancelled').length === 2;
    });
    // The sleeps may only start now, so keep advancing the clock until they end.
    await waitUntil('the other runs', () => {
      advance(HOUR);
      return ended.length === 2;
    });
    await handled();
    expect(ended).toEqual(['b', 'b']);
  });
});

describe.skipIf(externalBaseUrl)('a cancellation', () => {
  it('takes ten seconds, and doesn’t stop a request in progress', async () => {
    let begun = 0;
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { app, advance, runs, handled } = await play((client) => [
      client.createFunction(
        {
          id: 'slow',
          triggers: [{ event: 'test/slow' }],
          cancelOn: [{ event: 'test/deleted', match: 'data.entry' }],
        },
        async ({ step }) => {
          await step.run('work', async () => {
            begun += 1;
            await finished;
          });
          await step.run('never', () => {
            begun += 100;
          });
        },
      ),
    ]);
    const status = async () => (await runs()).find(({ function: name }) => name === 'testing-slow')?.status;
    await app.client.send({ name: 'test/slow', data: { entry: 'a' } });
    await waitUntil('the step', () => begun === 1);
    await app.client.send({ name: 'test/deleted', data: { entry: 'a' } });
    await handled();
    advance(5000);
    await handled();
    expect(await status()).toBe('running');
    advance(5000);
    await waitUntil('the cancellation', async () => (await status()) === 'cancelled');
    finish();
    await handled();
    expect(begun).toBe(1);
  });
});

describe.skipIf(externalBaseUrl)('concurrency', () => {
  it('is limited per function and per key', async () => {
    const inside = new Map<string, number>();
    const most = new Map<string, number>();
    let ends = 0;
    const enter = (name: string, by: number) => {
      inside.set(name, (inside.get(name) ?? 0) + by);
      most.set(name, Math.max(most.get(name) ?? 0, inside.get(name) ?? 0));
    };
    const { app } = await play((client) => [
      client.createFunction(
        {
          id: 'limited',
          triggers: [{ event: 'test/limited' }],
          concurrency: [{ limit: 1, key: 'event.data.user' }, { limit: 3 }],
        },
        async ({ event, step }) => {
          await step.run('work', async () => {
            const names = [`${event.data['user']}`, 'all'];
            for (const name of names) enter(name, 1);
            // The first ones wait for each other, so that three run at once even on a slow machine.
            await waitUntil('three at once', () => most.get('all') === 3);
            await pause(50);
            for (const name of names) enter(name, -1);
            ends += 1;
          });
        },
      ),
    ]);
    const users = ['a', 'b', 'c', 'd', 'a', 'b', 'c', 'd'];
    await app.client.send(users.map((user) => ({ name: 'test/limited', data: { user } })));
    await waitUntil('all runs', () => ends === users.length);
    expect(most.get('all')).toBe(3);
    for (const user of ['a', 'b', 'c', 'd']) expect(most.get(user)).toBe(1);
  });
});

describe.skipIf(externalBaseUrl)('cron', () => {
  it('starts functions when they’re due, and only once for several missed times', async () => {
    const begun: string[] = [];
    const { advance, handled } = await play((client) => [
      client.createFunction({ id: 'noon', triggers: [{ cron: '0 12 * * *' }] }, async ({ event }) => {
        begun.push(`${event.name} ${(event.data as { cron: string }).cron}`);
      }),
    ]);
    await handled();
    expect(begun).toEqual([]);
    advance(24 * HOUR);
    await waitUntil('a day', () => begun.length === 1);
    advance(72 * HOUR);
    await waitUntil('three days', () => begun.length === 2);
    await handled();
    expect(begun).toEqual(Array(2).fill('inngest/scheduled.timer 0 12 * * *'));
  });
});
