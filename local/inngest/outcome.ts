import type { AppResponse } from './app';
import { parseRetryAfter, retryDelayMs, timeAfter } from './durations';
import { type Limits, RunFailure, stateBytes } from './limits';
import { headers, type Operation, readError } from './protocol';
import { holdsLease, isDiscovery, type QueueItem, releaseLease } from './queue';
import type { FunctionDefinition } from './registry';
import { completeQueueItem, endRun, lockRun, type Run, saveStepResult } from './runs';
import { type Db, type Sql, stripNulCharacters } from './store';

export type Context = { definition: FunctionDefinition; now: number; timeScale: number; limits: Limits };

/** The outcome of a request, for the log. */
export type RequestOutcome = 'completed' | 'failed' | 'retried' | 'continued' | 'superseded';

/** Something the function asks for that this runner doesn't implement; ends the run. */
const unsupported = (message: string) => new RunFailure('UnsupportedOperation', message);

async function retryOrFail(
  tx: Db,
  item: QueueItem,
  run: Run,
  answer: AppResponse,
  error: unknown,
  context: Context,
) {
  const { now, definition, timeScale } = context;
  const isFinal = answer.headers[headers.noRetry] === 'true' || item.attempt + 1 >= definition.maxAttempts;
  if (isFinal) {
    await endRun(tx, run, { status: 'failed', error: readError(error) }, now);
    return 'failed' as const;
  }
  const at =
    parseRetryAfter(answer.headers[headers.retryAfter], now) ?? now + retryDelayMs(item.attempt) * timeScale;
  await tx`UPDATE runs SET error = ${JSON.stringify(readError(error))} WHERE id = ${run.id}`;
  await releaseLease(tx, item, { at, attempt: item.attempt + 1 });
  return 'retried' as const;
}

/** Queues a planned step, unless it is queued or done already. */
async function enqueue(
  tx: Db,
  item: QueueItem,
  operation: Operation,
  kind: 'step' | 'sleep',
  at: number,
): Promise<void> {
  const name = stripNulCharacters(operation.displayName ?? operation.name ?? operation.id);
  await tx`
    INSERT INTO queue (run_id, fn_id, kind, step_id, step_name, available_at, rank, limits)
    SELECT run_id, fn_id, ${kind}, ${operation.id}, ${name}, ${at}, rank, limits
    FROM queue WHERE id = ${item.id}
      AND NOT EXISTS (SELECT 1 FROM steps WHERE steps.run_id = queue.run_id AND steps.id = ${operation.id})
    ON CONFLICT (run_id, step_id) DO NOTHING`;
}

function deadline(operation: Operation, text: unknown, now: number): number {
  const moment = typeof text === 'string' ? timeAfter(text, now) : undefined;
  if (moment === undefined) {
    throw unsupported(`Step "${operation.displayName}": the time "${text}" cannot be read.`);
  }
  return moment;
}

/** Records a step that succeeded, or failed for the last time. */
async function finishStep(tx: Db, item: QueueItem, operation: Operation, now: number) {
  const failed = operation.op === 'StepFailed' || operation.op === 'StepError';
  const state = failed
    ? ({ type: 'error', error: readError(operation.error ?? operation.data) } as const)
    : ({ type: 'data', data: operation.data ?? null } as const);
  if (item.step_id === operation.id) return completeQueueItem(tx, item.id, state, now);
  const name = operation.displayName ?? operation.name ?? '';
  await saveStepResult(tx, item.run_id, operation.id, name, state, now);
}

/** Ends a discovery, or repeats it immediately if it ran a step or one ended meanwhile. */
async function finishDiscovery(tx: Db, item: QueueItem, ranStep: boolean, now: number) {
  await tx`
    UPDATE queue SET lease = NULL, again = false, attempt = 0, available_at = ${now}
    WHERE id = ${item.id} AND (again OR ${ranStep})`;
  await tx`DELETE FROM queue WHERE id = ${item.id} AND lease IS NOT NULL`;
}

const sizeOf = (data: unknown): number => Buffer.byteLength(JSON.stringify(data ?? null));

async function applyOperations(
  tx: Db,
  item: QueueItem,
  run: Run,
  answer: AppResponse,
  operations: Operation[],
  context: Context,
): Promise<RequestOutcome> {
  const { now, definition, limits } = context;
  const tooLarge = operations.find(({ data }) => sizeOf(data) > limits.stepOutputBytes);
  if (tooLarge) {
    const message = `error validating generator opcode ${tooLarge.id}: step output size is greater than the limit`;
    return retryOrFail(tx, item, run, answer, message, context);
  }
  const added = operations.reduce((sum, { data }) => sum + sizeOf(data), 0);
  if ((await stateBytes(tx, run.id)) + added > limits.stateBytes) {
    const message = `The function run exceeded the state size limit of ${limits.stateBytes} bytes.`;
    throw new RunFailure('InngestErrStateOverflowed', message);
  }
  let ranStep = false;
  // Version 1 is what `optimizeParallelism: false` sends: there, as in a race, every step that ends resumes the
  // function.
  const isRace = operations.some(({ opts }) => opts?.['parallelMode'] === 'race');
  if (isRace || answer.headers[headers.requestVersion] === '1') {
    throw unsupported('Racing steps are not supported by the local runner.');
  }
  for (const operation of operations) {
    switch (operation.op) {
      case 'StepError':
        if (item.attempt + 1 < definition.maxAttempts && answer.headers[headers.noRetry] !== 'true') {
          return retryOrFail(tx, item, run, answer, operation.error, context);
        }
        await finishStep(tx, item, operation, now);
        ranStep = true;
        break;
      case 'Step':
      case 'StepRun':
      case 'StepFailed':
        await finishStep(tx, item, operation, now);
        ranStep = true;
        break;
      case 'StepPlanned':
        await enqueue(tx, item, operation, 'step', now);
        break;
      case 'Sleep':
        await enqueue(tx, item, operation, 'sleep', deadline(operation, operation.name, now));
        break;
      case 'RunComplete':
        await endRun(tx, run, { status: 'completed', output: operation.data }, now);
        return 'completed';
      default:
        throw unsupported(
          `Step "${operation.displayName ?? operation.id}": ${operation.op} is not supported by the local runner.`,
        );
    }
  }
  if (isDiscovery(item)) await finishDiscovery(tx, item, ranStep, now);
  else if (!operations.some((operation) => operation.id === item.step_id)) {
    throw unsupported('The app was asked to run one step and answered for another.');
  }
  const [{ count } = { count: 0 }] = await tx<{ count: number }[]>`
    SELECT count(*)::int AS count FROM steps WHERE run_id = ${run.id}`;
  if (count >= limits.steps) {
    const message = `The function run exceeded the step limit of ${limits.steps} steps.`;
    throw new RunFailure('InngestErrFunctionOverflowed', message);
  }
  const left = await tx`SELECT 1 FROM queue WHERE run_id = ${run.id} LIMIT 1`;
  if (left.length === 0) throw unsupported('The function neither ends nor asks for a new step.');
  return 'continued';
}

/**
 * Applies the app's response in one transaction, and only while the lease holds, so that what it started or ended
 * happens as a whole or not at all.
 */
export async function applyAnswer(
  sql: Sql,
  item: QueueItem,
  answer: AppResponse,
  context: Context,
): Promise<RequestOutcome> {
  try {
    return await sql.begin(async (tx): Promise<RequestOutcome> => {
      const run = await lockRun(tx, item.run_id);
      if (!run || !(await holdsLease(tx, item))) return 'superseded';
      await tx`UPDATE runs SET attempts = greatest(attempts, ${item.attempt + 1}) WHERE id = ${run.id}`;
      if (answer.status === 200) {
        await endRun(tx, run, { status: 'completed', output: answer.body }, context.now);
        return 'completed';
      }
      if (answer.status !== 206) return retryOrFail(tx, item, run, answer, answer.body, context);
      const operations = [answer.body].flat() as Operation[];
      return applyOperations(tx, item, run, answer, operations, context);
    });
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error;
    return sql.begin(async (tx): Promise<RequestOutcome> => {
      const run = await lockRun(tx, item.run_id);
      if (!run || !(await holdsLease(tx, item))) return 'superseded';
      await endRun(tx, run, { status: 'failed', error: readError(error) }, context.now);
      return 'failed';
    });
  }
}
