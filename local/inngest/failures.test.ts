import { type FailureEventArgs, NonRetriableError, RetryAfterError } from 'inngest';
import { describe, expect, it } from 'vitest';
import { setUpRunner } from './test-fixture';
import { waitUntil } from './test-runner';

const { play } = setUpRunner();

describe('failures', () => {
  it('doesn’t retry after NonRetriableError, and calls onFailure', async () => {
    let attempts = 0;
    let failure: Record<string, unknown> | undefined;
    const { app } = await play((client) => [
      client.createFunction(
        {
          id: 'hopeless',
          triggers: [{ event: 'test/hopeless' }],
          onFailure: async ({ event, error }: FailureEventArgs) => {
            failure = {
              message: error.message,
              function: event.data.function_id,
              original: event.data.event.data,
            };
          },
        },
        async ({ step }) => {
          await step.run('fail', () => {
            attempts += 1;
            throw new NonRetriableError('This file can never be read.');
          });
        },
      ),
    ]);
    await app.client.send({ name: 'test/hopeless', data: { entry: 'e1' } });
    await waitUntil('onFailure', () => failure);
    expect(failure).toMatchObject({
      message: 'This file can never be read.',
      function: 'testing-hopeless',
      original: { entry: 'e1' },
    });
    expect(attempts).toBe(1);
  });

  it('lets a function catch a step’s failure', async () => {
    let caught = '';
    const { app } = await play((client) => [
      client.createFunction(
        { id: 'catcher', retries: 0, triggers: [{ event: 'test/catch' }] },
        async ({ step }) => {
          try {
            await step.run('fail', () => {
              throw new RangeError('too far');
            });
          } catch (error) {
            caught = await step.run('note', () => String(error));
          }
        },
      ),
    ]);
    await app.client.send({ name: 'test/catch', data: {} });
    expect(await waitUntil('the error', () => caught)).toBe('RangeError: too far');
  });

  it('waits as long as RetryAfterError asks for', async () => {
    const attempts: number[] = [];
    let done = false;
    const { app } = await play((client) => [
      client.createFunction(
        { id: 'later', triggers: [{ event: 'test/later' }] },
        async ({ step, attempt }) => {
          await step.run('busy', () => {
            attempts.push(attempt);
            if (attempts.length === 1) throw new RetryAfterError('busy', '1s');
          });
          done = true;
        },
      ),
    ]);
    await app.client.send({ name: 'test/later', data: {} });
    await waitUntil('the second attempt', () => done);
    expect(attempts).toEqual([0, 1]);
  });
});
