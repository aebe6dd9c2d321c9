import { describe, expect, it } from 'vitest';
import { setUpRunner } from './test-fixture';
import { externalBaseUrl, waitUntil } from './test-runner';

const { play } = setUpRunner();

describe('runs and steps', () => {
  it('runs events with the same id only once', async () => {
    const seen: string[] = [];
    const { app } = await play((client) => [
      client.createFunction({ id: 'once', triggers: [{ event: 'test/once' }] }, async ({ event }) => {
        seen.push(String(event.id));
      }),
    ]);
    const event = { name: 'test/once', id: 'upload-1', data: {} };
    const [first, second] = await Promise.all([app.client.send(event), app.client.send(event)]);
    await waitUntil('the event', () => seen.length > 0);
    await app.client.send([event, { ...event, id: 'last' }]);
    await waitUntil('the last event', () => seen.includes('last'));
    expect(seen.toSorted()).toEqual(['last', 'upload-1']);
    if (!externalBaseUrl) expect(first.ids).toEqual(second.ids);
  });

  it('runs steps in order, once each, and passes on their results', async () => {
    const calls: string[] = [];
    let result: unknown;
    const { app, log } = await play((client) => [
      client.createFunction(
        { id: 'ordered', triggers: [{ event: 'test/ordered' }] },
        async ({ event, step }) => {
          const a = await step.run('a', () => {
            calls.push('a');
            return { n: event.data['n'] as number };
          });
          const b = await step.run('b', () => {
            calls.push('b');
            return a.n + 1;
          });
          const nothing = await step.run('nothing', () => {
            calls.push('nothing');
          });
          result = { a, b, nothing };
          return result;
        },
      ),
    ]);
    await app.client.send({ name: 'test/ordered', data: { n: 1 } });
    await waitUntil('the result', () => result);
    expect(result).toEqual({ a: { n: 1 }, b: 2, nothing: null });
    expect(calls).toEqual(['a', 'b', 'nothing']);
    // If the SDK had used checkpointing, it would have called a URL that the runner doesn't have.
    expect(log.filter((line) => line['level'] === 'warn' && /has no/.test(String(line['message'])))).toEqual(
      [],
    );
  });

  it('runs parallel steps at the same time, along with the steps that follow each one', async () => {
    const calls: string[] = [];
    let inside = 0;
    let most = 0;
    let open = () => {};
    const bothInside = new Promise<void>((resolve) => {
      open = resolve;
    });
    let result: unknown;
    const { app } = await play((client) => [
      client.createFunction({ id: 'parallel', triggers: [{ event: 'test/parallel' }] }, async ({ step }) => {
        const one = (name: string) =>
          step.run(name, async () => {
            calls.push(name);
            inside += 1;
            most = Math.max(most, inside);
            if (inside === 3) open();
            await bothInside;
            return name;
          });
        const follow = one('a').then((a: string) => step.run('after a', () => `${a}!`));
        result = await Promise.all([follow, one('b'), one('c')]);
      }),
    ]);
    await app.client.send({ name: 'test/parallel', data: {} });
    await waitUntil('the result', () => result);
    expect(result).toEqual(['a!', 'b', 'c']);
    expect(calls.toSorted()).toEqual(['a', 'b', 'c']);
    expect(most).toBe(3);
  });

  it('passes NUL characters, lone surrogates, and a megabyte of text through steps', async () => {
    const odd = { text: 'a\0b \ud800 \u2028 "\\', __proto__x: 1, 10: 'ten', 9: 'nine', toJSON: 'odd' };
    const big = 'å'.repeat(500_000);
    let result: unknown;
    const { app, runs } = await play((client) => [
      client.createFunction({ id: 'odd', triggers: [{ event: 'test/odd' }] }, async ({ event, step }) => {
        const a = await step.run('odd\0name', () => odd);
        const b = await step.run('big', () => big);
        const same = await step.run('compare', () => b === big && JSON.stringify(a) === JSON.stringify(odd));
        result = { same, data: event.data };
      }),
    ]);
    await app.client.send({ name: 'test/odd', data: { x: 'y\0' } });
    await waitUntil('the result', () => result);
    expect(result).toEqual({ same: true, data: { x: 'y\0' } });
    if (externalBaseUrl) return;
    await waitUntil('the list', async () => (await runs()).some((run) => run.status === 'completed'));
  });

  it('sleeps for a duration or until a date, and sends events', async () => {
    const results: Record<string, unknown> = {};
    const { app, advance } = await play((client) => [
      client.createFunction({ id: 'sleeper', triggers: [{ event: 'test/sleep' }] }, async ({ step }) => {
        await step.run('before', () => {
          results['before'] = true;
        });
        await step.sleep('nap', '1s');
        await step.sleepUntil('until', new Date(Date.now() - 1000));
        await step.sendEvent('send', { name: 'test/relay', data: { n: 1 } });
      }),
      client.createFunction({ id: 'relay', triggers: [{ event: 'test/relay' }] }, async ({ event }) => {
        results['relayed'] = event.data;
      }),
    ]);
    await app.client.send({ name: 'test/sleep', data: {} });
    await waitUntil('the first step', () => results['before']);
    if (!externalBaseUrl) {
      expect(results['relayed']).toBeUndefined();
      advance(2000);
    }
    await waitUntil('the event', () => results['relayed']);
    expect(results).toMatchObject({ relayed: { n: 1 } });
  });

  it('completes each of a hundred simultaneous runs once', async () => {
    const ends = new Map<number, number>();
    const { app } = await play((client) => [
      client.createFunction({ id: 'many', triggers: [{ event: 'test/many' }] }, async ({ event, step }) => {
        const n = await step.run('one', () => event.data['n'] as number);
        await step.run('two', () => ends.set(n, (ends.get(n) ?? 0) + 1).size);
      }),
    ]);
    const numbers = Array.from({ length: 100 }, (_, n) => n);
    await app.client.send(numbers.map((n) => ({ name: 'test/many', data: { n } })));
    await waitUntil('all hundred', () => ends.size === 100);
    expect(ends).toEqual(new Map(numbers.map((n) => [n, 1])));
  });
});
