import { verify } from '@node-rs/argon2';
import { AppError } from '@/lib/foundation/contract/errors';
import { createCounter } from '@/lib/foundation/counter';
import { siteNetwork } from '@/lib/foundation/http/client-address';
import { log } from '@/lib/foundation/log';
import { perProcess } from '@/lib/foundation/shared/per-process';
import { createFairQueue, type Slot } from '@/lib/limits/fair-queue';
import {
  type Attempt,
  CLIENT_SCOPES,
  countAttempt,
  type RateLimit,
  SUBJECT_SCOPES,
  uncountAttempt,
} from '@/lib/limits/service';
import { argon2id } from './argon2id';

/** As many as a client's tries for one address, so that all of these find room. */
const SLOTS_PER_CLIENT = 10;

/**
 * Every hashing of a password waits here. Each holds a thread of libuv's four; leaving two keeps files and names
 * answering under a flood. A full queue of 64, each from another client, is done within about a second.
 */
const createHashing = () => ({
  queue: createFairQueue({ concurrency: 2, perClient: SLOTS_PER_CLIENT, total: 64 }),
  /** Tries in progress, by client and by limit, subject and client. */
  inProgress: createCounter(),
});

const hashing = () => perProcess('password-hashing', createHashing);

function overloadedError(): AppError {
  log.warn({ event: 'hashing.queue_full' }, 'the queue for hashing passwords is full');
  return new AppError('unavailable', {
    message: 'Daylight is very busy right now. Try again in a moment.',
    retryAfter: 2,
  });
}

/**
 * Does work that hashes, once it's the client's turn.
 * @param onFull called first if there's no room
 * @throws AppError `unavailable` when the client, or everyone together, already waits for too much
 */
async function withSlot<T>(
  client: string,
  work: (slot: Slot) => Promise<T>,
  onFull?: () => Promise<void>,
): Promise<T> {
  const slot = hashing().queue.reserve(client, siteNetwork(client));
  if (!slot) {
    await onFull?.();
    throw overloadedError();
  }
  try {
    return await work(slot);
  } finally {
    slot.release();
  }
}

let dummyHash: Promise<string> | undefined;

async function matches(slot: Slot, hashed: string | null | undefined, password: string): Promise<boolean> {
  dummyHash ??= argon2id('a password that nobody has');
  // Awaited for every address, so that the first try after a start doesn't tell an unknown one by its time.
  const standIn = await dummyHash;
  const same = await slot.run(() => verify(hashed ?? standIn, password));
  return same && Boolean(hashed);
}

/** What a counted try may do with its password. */
interface Hashing {
  /** Hashes a password with argon2id, in PHC string format. */
  hash(password: string): Promise<string>;
  /**
   * Returns whether the password is the one that was hashed. Without a hash (an unknown address, or an account
   * without a password) it takes the same time and returns false.
   */
  matches(hashed: string | null | undefined, password: string): Promise<boolean>;
}

/**
 * Counts a try and does work that hashes a password, which waits its turn behind other clients. A try that finds no
 * room isn't counted. The client's own count comes last, when at most ten of its tries are in progress: a burst of
 * right passwords is no burst of failures.
 * @throws AppError `rate_limited`; `unavailable` while too much waits; neither costs any hashing
 */
export async function withHashingLimit<T>(
  limit: RateLimit,
  attempt: Attempt,
  work: (hashing: Hashing) => Promise<T>,
): Promise<T> {
  const { inProgress } = hashing();
  const { client } = attempt;
  const pair = JSON.stringify([limit, attempt.subject, client]);
  // A flood is refused before it costs a query. If all of it is for this very subject, there have been too many tries,
  // which the rate limit says better.
  if (inProgress.of(client) >= SLOTS_PER_CLIENT && inProgress.of(pair) < SLOTS_PER_CLIENT)
    throw overloadedError();
  for (const name of [client, pair]) inProgress.add(name, 1);
  try {
    await countAttempt(limit, attempt, SUBJECT_SCOPES);
    return await withSlot(
      client,
      async (slot) => {
        await countAttempt(limit, attempt, CLIENT_SCOPES);
        return work({
          hash: (password) => slot.run(() => argon2id(password)),
          matches: (hashed, password) => matches(slot, hashed, password),
        });
      },
      () => uncountAttempt(limit, attempt, SUBJECT_SCOPES),
    );
  } finally {
    for (const name of [client, pair]) inProgress.add(name, -1);
  }
}

/**
 * Hashes a password for someone who has already shown the right to set it.
 * @param client the address of the client that waits for it; scripts have none
 * @throws AppError `unavailable` while too much waits
 */
export const hashPassword = (password: string, client = ''): Promise<string> =>
  withSlot(client, (slot) => slot.run(() => argon2id(password)));

/**
 * Returns whether a secret is the one that was hashed. The caller counts the tries.
 * @param client the address of the client that waits for it
 * @throws AppError `unavailable` while too much waits
 */
export const matchesHash = (hashed: string | null, secret: string, client: string): Promise<boolean> =>
  withSlot(client, (slot) => matches(slot, hashed, secret));
