import type postgres from 'postgres';
import { startAwakeTimer } from '@/lib/foundation/awake-timer';
import { failure, onSettled, type PendingQuery } from './answer-timeout';

/** How to tell a database that has gone silent from one that's busy with a long statement. */
export interface SilenceCheck {
  /** How long a statement may take before the check, and between checks, in milliseconds. */
  askAfterMs: number;
  /** How long the database may take to answer the check, in milliseconds. */
  answerMs: number;
  /** Opens a connection of its own for the check. */
  open: () => postgres.Sql;
}

/**
 * Returns whether the database answers on another connection. False if it doesn't, such as a pooler that has run out of
 * connections to Postgres and lets clients wait. An error is an answer, too: the statement will notice by itself.
 */
async function isAnswering({ open, answerMs }: SilenceCheck): Promise<boolean> {
  const sql = open();
  const isAnswered = await new Promise<boolean>((resolve) => {
    // An answer that arrived while this process was busy is read first.
    const stopTimer = startAwakeTimer(() => setImmediate(resolve, false), answerMs);
    const settle = () => {
      stopTimer();
      resolve(true);
    };
    sql.unsafe('select 1').then(settle, settle);
  });
  sql.end({ timeout: 0 }).catch(() => {});
  return isAnswered;
}

/**
 * Returns what makes a statement fail soon if the database has gone silent, and then calls `onSilence`. One check at a
 * time serves all statements.
 */
export function watchSilence(check: SilenceCheck): (pending: PendingQuery, onSilence: () => void) => void {
  let running: Promise<boolean> | undefined;
  const ask = () => {
    running ??= isAnswering(check).finally(() => {
      running = undefined;
    });
    return running;
  };
  return (pending, onSilence) => {
    let settled = false;
    let timer: NodeJS.Timeout | undefined;
    const wait = () => {
      timer = setTimeout(async () => {
        if (await ask()) {
          if (!settled) wait();
          return;
        }
        if (settled) return;
        pending.reject(failure('ETIMEDOUT', 'The database did not answer in time.'));
        onSilence();
      }, check.askAfterMs);
    };
    onSettled(pending, () => {
      settled = true;
      clearTimeout(timer);
    });
    wait();
  };
}
