import { expect } from 'vitest';
import type { AppError } from '@/lib/foundation/contract/errors';

let clientCount = 0;

/** The device cookie of every client here, so that a sign-in isn't news unless a test wants it to be. */
const DEVICE = 'd'.repeat(43);

/** A browser in a network of its own, so that no limit counts it together with others. */
export const newClientInfo = () => {
  clientCount += 1;
  return { address: `198.51.100.${clientCount}`, userAgent: 'test', device: DEVICE };
};

/** What a piece of work is refused with. */
export const expectRejection = (work: Promise<unknown>): Promise<AppError> =>
  work.then(
    () => expect.unreachable('it was not refused'),
    (error: AppError) => error,
  );
