import { once } from 'node:events';
import { NonRetriableError } from 'inngest';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AppError } from '@/lib/foundation/contract/errors';
import { UNAVAILABLE } from '@/lib/video/processing/step';
import { requestExport } from '@/test/export-fixtures';
import { makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';
import { runExportStep, type StepTime } from './step';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
  process.env.JOB_STEP_SECONDS = '1';
});
afterAll(() => services.end());

/** Works until the step is ended, as a call to storage does. */
async function tooLong(_: unknown, { signal }: StepTime) {
  await once(signal, 'abort');
  throw new AppError('unavailable', { cause: signal.reason });
}

it('waits for a service that’s away, but not for work that takes too long', async () => {
  const run = await requestExport((await makeUser()).id);
  const away = () => Promise.reject(new AppError('unavailable'));
  await expect(runExportStep(run, 4, away)).rejects.toMatchObject({ name: UNAVAILABLE });
  const failure: unknown = await runExportStep(run, 4, tooLong).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(NonRetriableError);
  // Whoever gets it marks the archive as failed.
  expect(failure).not.toMatchObject({ name: UNAVAILABLE });
});

it('has five attempts at anything else, and keeps its error’s name and message', async () => {
  const run = await requestExport((await makeUser()).id);
  const bug = new TypeError('a bug');
  const attempt = (index: number): Promise<unknown> =>
    runExportStep(run, index, () => Promise.reject(bug)).catch((error: unknown) => error);
  expect(await attempt(3)).toBe(bug);
  const last = await attempt(4);
  expect(last).toBeInstanceOf(NonRetriableError);
  expect(last).toMatchObject({ name: 'TypeError', message: 'a bug', cause: bug });
});
