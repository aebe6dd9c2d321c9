import { connectStore, type Sql } from './store';

const HEARTBEAT_MS = 2000;
const LEASE_DURATION = '10 seconds';

export type Leadership = {
  /** The generation this runner leads in, or undefined while another one leads. */
  generation(): number | undefined;
  close(): Promise<void>;
};

/**
 * Lets one runner at a time take work from a schema. The leader holds an advisory lock on a connection of its
 * own and a lease that it renews every two seconds. Another runner takes over at once when the lock is free,
 * because then the former's connection, and so its process, is gone; and after ten seconds without a heartbeat
 * otherwise (a stopped process, a lost machine). Each takeover raises the generation and frees every lease of
 * the generations before, so whatever a former leader still writes finds its lease gone.
 */
export function startLeaderElection(options: {
  sql: Sql;
  databaseUrl: string;
  schema: string;
  onChange: (generation: number | undefined) => void;
  onError: (error: unknown) => void;
}): Leadership {
  const { sql, schema } = options;
  const lock = connectStore(options.databaseUrl, {
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    connection: { application_name: 'inngest-local leader' },
  });
  let generation: number | undefined;
  let lockedBy: number | undefined;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let beat: Promise<void> = Promise.resolve();

  const change = (next: number | undefined) => {
    if (next === generation) return;
    generation = next;
    options.onChange(next);
  };

  async function tryLock(): Promise<boolean> {
    const [row] = await lock<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    if (row && row.pid === lockedBy) return true;
    const [got] = await lock<{ pid: number; locked: boolean }[]>`
      SELECT pg_backend_pid() AS pid, pg_try_advisory_lock(hashtext(${`lead ${schema}`})) AS locked`;
    lockedBy = got?.locked ? got.pid : undefined;
    return lockedBy !== undefined;
  }

  async function takeOver(locked: boolean): Promise<number | undefined> {
    return sql.begin(async (tx) => {
      const [row] = await tx<{ generation: number }[]>`
        UPDATE leader SET generation = generation + 1, alive_until = clock_timestamp() + ${LEASE_DURATION}::interval
        WHERE ${locked} OR alive_until < clock_timestamp() RETURNING generation`;
      if (!row) return undefined;
      await tx`UPDATE queue SET lease = NULL, again = false WHERE lease IS NOT NULL`;
      return row.generation;
    });
  }

  async function tick(): Promise<void> {
    const locked = await tryLock();
    if (generation !== undefined) {
      const renewed = await sql`
        UPDATE leader SET alive_until = clock_timestamp() + ${LEASE_DURATION}::interval
        WHERE generation = ${generation} RETURNING 1`;
      if (renewed.length === 0) change(undefined);
    }
    if (generation === undefined && !closed) change(await takeOver(locked));
  }

  function loop() {
    beat = tick()
      .catch(options.onError)
      .finally(() => {
        if (!closed) timer = setTimeout(loop, generation === undefined ? HEARTBEAT_MS / 4 : HEARTBEAT_MS);
      });
  }
  loop();

  return {
    generation: () => generation,
    async close() {
      closed = true;
      clearTimeout(timer);
      await beat;
      const last = generation;
      change(undefined);
      if (last !== undefined) {
        // Gives up the lease, so that a successor need not wait even without the lock.
        await sql`UPDATE leader SET alive_until = '-infinity' WHERE generation = ${last}`.catch(() => {});
      }
      await lock.end({ timeout: 1 });
    },
  };
}
