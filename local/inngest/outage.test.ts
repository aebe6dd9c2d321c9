import { once } from 'node:events';
import { createServer } from 'node:http';
import postgres from 'postgres';
import { afterEach, describe, expect, it } from 'vitest';
import { setUpRunner } from './test-fixture';
import { externalBaseUrl, type Functions, startTestApp, type TestApp, waitUntil } from './test-runner';

const MINUTE = 60_000;

const { databaseUrl, play } = setUpRunner();
let again: TestApp | undefined;
afterEach(async () => {
  await again?.close();
  again = undefined;
});

describe.skipIf(externalBaseUrl)('an unavailable app', () => {
  const calls: number[] = [];
  let failures = 0;
  const functions: Functions = (client) => [
    client.createFunction(
      {
        id: 'patient',
        retries: 4,
        triggers: [{ event: 'test/patient' }],
        onFailure: async () => {
          failures += 1;
        },
      },
      async ({ event, step }) => {
        const n = event.data['n'] as number;
        await step.run('one', () => calls.push(n));
      },
    ),
  ];

  it('costs attempts like any failure, refused or answered by another server', async () => {
    const { app, runner, advance, runs } = await play(functions);
    await app.close();
    await app.client.send({ name: 'test/patient', data: { n: 1 } });
    await waitUntil('a failed attempt', async () => (await runs())[0]?.error);
    expect((await runs())[0]?.error).toContain('Unable to reach SDK URL');
    const proxy = createServer((request, response) => {
      request.resume();
      response.writeHead(502).end('Bad gateway');
    });
    proxy.listen(app.port, '127.0.0.1');
    await once(proxy, 'listening');
    await waitUntil('another failed attempt', async () => {
      advance(MINUTE / 4);
      return (await runs())[0]?.error?.includes('502');
    });
    expect((await runs())[0]?.attempts).toBeGreaterThanOrEqual(2);
    proxy.closeAllConnections();
    proxy.close();
    await once(proxy, 'close');
    again = await startTestApp(runner?.url ?? '', functions, { port: app.port });
    await waitUntil('the end', async () => {
      advance(MINUTE / 4);
      return (await runs())[0]?.status === 'completed';
    });
    expect(calls).toEqual([1]);
  });

  it('ends the run once its attempts are used up, and the failure handler after two of its own', async () => {
    const { app, advance, runs } = await play(functions);
    await app.close();
    await app.client.send({ name: 'test/patient', data: { n: 2 } });
    const ended = await waitUntil('both runs', async () => {
      advance(MINUTE);
      const all = await runs();
      return all.length === 2 && all.every((run) => run.ended) ? all : undefined;
    });
    const summary = ended.map(({ function: name, status, attempts }) => [name, status, attempts]);
    expect(summary.toSorted()).toEqual([
      ['testing-patient', 'failed', 5],
      ['testing-patient-failure', 'failed', 2],
    ]);
    expect(failures).toBe(0);
  });

  it('registers other functions when it comes back with them', async () => {
    const calls: string[] = [];
    const make = (id: string, event: string): Functions => {
      return (client) => [
        client.createFunction({ id, triggers: [{ event }] }, async () => {
          calls.push(id);
        }),
      ];
    };
    const { app, runner, log } = await play(make('old', 'test/old'));
    await app.close();
    again = await startTestApp(runner?.url ?? '', make('new', 'test/new'), { port: app.port });
    await waitUntil('the new functions', () =>
      log.some((line) => JSON.stringify(line['functions']) === '["testing-new"]'),
    );
    await app.client.send({ name: 'test/new', data: {} });
    await waitUntil('the new function', () => calls.includes('new'));
  });
});

describe.skipIf(externalBaseUrl)('a step', () => {
  it('fails after its attempts if it breaks the connection every time', async () => {
    let begun = 0;
    let isCutting = true;
    const { app, advance, runs } = await play((client) => [
      client.createFunction(
        { id: 'deadly', retries: 2, triggers: [{ event: 'test/deadly' }] },
        async ({ step }) => {
          await step.run('die', () => {
            begun += 1;
            if (isCutting) app.cut();
            return new Promise<void>(() => {});
          });
        },
      ),
    ]);
    await app.client.send({ name: 'test/deadly', data: {} });
    const failed = await waitUntil('the end', async () => {
      advance(MINUTE);
      return (await runs()).find((run) => run.status === 'failed');
    });
    isCutting = false;
    expect(failed.error).toContain('Unable to reach SDK URL');
    expect(begun).toBe(3);
  });
});

describe.skipIf(externalBaseUrl)('a database', () => {
  it('loses and repeats nothing when it drops every connection several times', async () => {
    const ends = new Map<number, number>();
    const { app, runs } = await play((client) => [
      client.createFunction(
        { id: 'steady', triggers: [{ event: 'test/steady' }] },
        async ({ event, step }) => {
          const n = event.data['n'] as number;
          for (const name of ['a', 'b', 'c']) await step.run(name, () => name);
          await step.run('end', () => ends.set(n, (ends.get(n) ?? 0) + 1).size);
        },
      ),
    ]);
    const sql = postgres(databaseUrl(), { max: 1 });
    const count = 40;
    const sending = Array.from({ length: count }, (_, n) =>
      app.client.send({ id: `steady-${n}`, name: 'test/steady', data: { n } }),
    );
    for (let round = 1; round <= 5; round += 1) {
      await sql`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'inngest-local%'`;
      await waitUntil('some progress', () => ends.size >= round * 6);
    }
    await sql.end();
    await Promise.all(sending);
    await waitUntil('the end', async () => {
      const all = await runs().catch(() => []);
      return all.length === count && all.every((run) => run.status === 'completed');
    });
    expect([...ends.values()]).toEqual(Array(count).fill(1));
    expect((await runs()).map((run) => run.attempts)).toEqual(Array(count).fill(1));
  });
});

describe.skipIf(externalBaseUrl)('closing', () => {
  it('leaves a running step for the next runner to continue', async () => {
    let begun = 0;
    let isStuck = true;
    const functions: Functions = (client) => [
      client.createFunction({ id: 'long', triggers: [{ event: 'test/long' }] }, async ({ step }) => {
        await step.run('take long', () => {
          begun += 1;
          return isStuck ? new Promise<string>(() => {}) : 'done';
        });
      }),
    ];
    const first = await play(functions);
    await first.app.client.send({ name: 'test/long', data: {} });
    await waitUntil('the step', () => begun === 1);
    await first.runner?.close();
    isStuck = false;
    const second = await first.restart();
    await waitUntil('the end', async () => {
      const { runs } = (await (await fetch(`${second.url}/runs.json`)).json()) as {
        runs: { status: string }[];
      };
      return runs[0]?.status === 'completed';
    });
    expect(begun).toBe(2);
  });
});
