import { perProcess } from '@/lib/foundation/shared/per-process';
import { createTurns } from '@/lib/limits/one-at-a-time';
import { refusalError } from './refusals';

const turns = perProcess('account-turns', createTurns);

/** Does what may take long in an account's turn. @throws AppError `rate_limited` if that doesn't come soon */
export const inTurn = (account: string, work: () => Promise<Response>): Promise<Response> =>
  turns.take(account, work, () => refusalError('rate_limited'));
