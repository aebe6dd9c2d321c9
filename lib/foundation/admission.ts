import { AsyncLocalStorage } from 'node:async_hooks';
import { perProcess } from './shared/per-process';

/**
 * Why a request was turned away: its own account or network has too many at once, or the process is busy. Both are codes
 * of errors.
 */
export type Refusal = 'rate_limited' | 'unavailable';

/** What's known of a request when it's taken on, or of a job, for everything that's done because of it. */
export interface Admission {
  /** The account whose session the request has, if it has one. */
  account?: string | undefined;
  isJob?: true;
  /** Set if the request turned out to be one too many when all of its body had arrived. */
  refusal?: Refusal;
}

/** The admission of the current request or job; empty in scripts. */
export const admissionScope = perProcess('admission', () => new AsyncLocalStorage<Admission>());

/** How long a person's request waits for anything that others are using: its turn, or a connection. Milliseconds. */
export const REQUEST_WAIT_MS = 2000;

/** Runs a job's work, whose queries wait longer for a free connection than a request's do. */
export const withJobWaits = <Result>(work: () => Result): Result => admissionScope.run({ isJob: true }, work);
