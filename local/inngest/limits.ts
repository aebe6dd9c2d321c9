import type { Db } from './store';

/** The limits of Inngest's server (`pkg/consts`). */
export const INNGEST_LIMITS = {
  /** How long one request to the app may last, in milliseconds. */
  requestMs: 2 * 3_600_000,
  /** What a step may return, in bytes of JSON. */
  stepOutputBytes: 4 * 1024 * 1024,
  /** The event and everything a run's steps returned, in bytes. */
  stateBytes: 32 * 1024 * 1024,
  steps: 1000,
};
export type Limits = typeof INNGEST_LIMITS;

/** Ends a run as failed, without another attempt. */
export class RunFailure extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** Returns the size of a run's state. */
export async function stateBytes(tx: Db, runId: string): Promise<number> {
  const [row] = await tx<{ bytes: number }[]>`
    SELECT (octet_length(event) + coalesce((
      SELECT sum(octet_length(value)) FROM steps WHERE run_id = runs.id
    ), 0))::float8 AS bytes FROM runs WHERE id = ${runId}`;
  return row?.bytes ?? 0;
}
