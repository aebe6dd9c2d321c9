import { NonRetriableError } from 'inngest';
import postgres from 'postgres';
import { expect, it } from 'vitest';
import { setUpRunner } from './test-fixture';
import { externalBaseUrl, type Functions, waitUntil } from './test-runner';

const fixture = setUpRunner();

/** Starts a runner. `kept()` returns every row that names an id, as text, once the runner has nothing left to do. */
async function play(functions: Functions) {
  const set = await fixture.play(functions);
  const read = async <T extends postgres.Row>(query: (sql: postgres.Sql) => PromiseLike<T[]>) => {
    const sql = postgres(set.databaseUrl, {
      max: 1,
      onnotice: () => {},
      connection: { search_path: set.schema },
    });
    try {
      return await query(sql);
    } finally {
      await sql.end();
    }
  };
  const isIdle = async () => {
    const rows = await read(
      (sql) => sql`SELECT 1 FROM events WHERE NOT routed UNION ALL SELECT 1 FROM runs WHERE ended_at IS NULL`,
    );
    return rows.length === 0;
  };
  return {
    ...set,
    async kept(id: string): Promise<string[]> {
      await waitUntil('the end of all runs', isIdle);
      const rows = await read(
        (sql) => sql<{ text: string }[]>`
          SELECT concat_ws(' ', id, event, output, error) AS text FROM runs
          UNION ALL SELECT payload FROM events UNION ALL SELECT value FROM steps`,
      );
      return rows.map(({ text }) => text).filter((text) => text.includes(id));
    },
  };
}

it.skipIf(externalBaseUrl).each([
  ['entry/purged', { entryId: 'the-one', userId: 'u' }],
  ['account/erased', { userId: 'the-one' }],
])('%s leaves nothing of what it names, and everything else', async (name, data) => {
  let isHeld = true;
  let held = 0;
  let failures = 0;
  const { app, kept } = await play((client) => [
    client.createFunction({ id: 'note', triggers: [{ event: 'test/note' }] }, async ({ event, step }) =>
      step.run('echo', () => event.data),
    ),
    client.createFunction({ id: 'slow', triggers: [{ event: 'test/slow' }] }, async ({ event }) => {
      held += 1;
      await waitUntil('the release', () => !isHeld);
      return event.data;
    }),
    client.createFunction(
      {
        id: 'clear',
        triggers: [{ event: name }],
        onFailure: () => {
          failures += 1;
        },
      },
      ({ event }) => {
        throw new NonRetriableError(`Nothing to clear of ${JSON.stringify(event.data)}`);
      },
    ),
  ]);
  const send = (event: string, about: object) => app.client.send({ name: event, data: { ...about } });
  await send('test/note', data);
  await send('test/note', { entryId: 'another', userId: 'another' });
  expect(await kept('the-one')).toHaveLength(3);
  await send('test/slow', data);
  await waitUntil('the slow run', () => held === 1);
  await send(name, data);
  await waitUntil('what is done when it failed', () => failures === 1);
  isHeld = false;
  expect(await kept('the-one')).toEqual([]);
  expect(await kept('another')).toHaveLength(3);
});
