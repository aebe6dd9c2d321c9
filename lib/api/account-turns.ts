import { createTurns } from '@/lib/limits/one-at-a-time';
import { refusalError } from './refusals';

// One for each process: Next loads this module once for every bundle that imports it.
const shared = globalThis as typeof globalThis & { daylightTurns?: ReturnType<typeof createTurns> };
shared.daylightTurns ??= createTurns();
const turns = shared.daylightTurns;

/** Does what may take long in an account's turn. @throws AppError `rate_limited` if that doesn't come soon */
export const inTurn = (account: string, work: () => Promise<Response>): Promise<Response> =>
  turns.take(account, work, () => refusalError('rate_limited'));
