import type postgres from 'postgres';
import { openDatabase } from '@/db/connect';
import { reconnectingPool } from '@/db/pool';

export type Sql = postgres.Sql;
/** A connection pool or a transaction. */
export type Db = postgres.ISql;

/**
 * Each entry is applied once, in order; its number is kept in `meta`. JSON is kept as text, because `jsonb`
 * refuses `\u0000`, which the output of a step may well contain. Times are Unix milliseconds by the runner's
 * clock, but for the leader's lease, which is the database's.
 */
export const MIGRATIONS = [
  `
  CREATE TABLE leader (
    only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
    generation integer NOT NULL,
    alive_until timestamptz NOT NULL
  );
  INSERT INTO leader (generation, alive_until) VALUES (0, '-infinity');

  CREATE TABLE seen (key text PRIMARY KEY, ref text NOT NULL, at double precision NOT NULL);

  CREATE TABLE events (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    name text NOT NULL,
    payload text NOT NULL,
    received_at double precision NOT NULL,
    routed boolean NOT NULL DEFAULT false
  );
  CREATE INDEX events_unrouted ON events (seq) WHERE NOT routed;

  CREATE TABLE runs (
    id text PRIMARY KEY,
    fn_id text NOT NULL,
    origin text NOT NULL UNIQUE,
    event_name text NOT NULL,
    event text NOT NULL,
    status text NOT NULL DEFAULT 'queued',
    attempts integer NOT NULL DEFAULT 0,
    output text,
    error text,
    parent_item bigint,
    created_at double precision NOT NULL,
    started_at double precision,
    ended_at double precision
  );
  CREATE INDEX runs_latest ON runs (created_at DESC);
  CREATE INDEX runs_active ON runs (fn_id) WHERE ended_at IS NULL;

  CREATE TABLE steps (
    seq bigint GENERATED ALWAYS AS IDENTITY,
    run_id text NOT NULL REFERENCES runs ON DELETE CASCADE,
    id text NOT NULL,
    name text NOT NULL,
    type text NOT NULL,
    value text NOT NULL,
    ended_at double precision NOT NULL,
    PRIMARY KEY (run_id, id)
  );

  CREATE TABLE queue (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run_id text NOT NULL REFERENCES runs ON DELETE CASCADE,
    fn_id text NOT NULL,
    kind text NOT NULL,
    step_id text NOT NULL,
    step_name text NOT NULL,
    race boolean NOT NULL DEFAULT false,
    again boolean NOT NULL DEFAULT false,
    attempt integer NOT NULL DEFAULT 0,
    interruptions integer NOT NULL DEFAULT 0,
    available_at double precision NOT NULL,
    rank double precision NOT NULL,
    limits text[] NOT NULL DEFAULT '{}',
    wait_event text,
    wait_condition text,
    lease text,
    UNIQUE (run_id, step_id)
  );
  CREATE INDEX queue_order ON queue (rank, id);
  CREATE INDEX queue_waits ON queue (wait_event) WHERE wait_event IS NOT NULL;

  CREATE TABLE crons (
    fn_id text NOT NULL,
    expression text NOT NULL,
    next_at double precision NOT NULL,
    PRIMARY KEY (fn_id, expression)
  );
  `,
  `
  DELETE FROM queue WHERE kind IN ('wait', 'invoke');
  ALTER TABLE queue DROP COLUMN race, DROP COLUMN wait_event, DROP COLUMN wait_condition;
  ALTER TABLE runs DROP COLUMN parent_item;
  `,
  `
  ALTER TABLE queue DROP COLUMN interruptions;
  ALTER TABLE runs ADD COLUMN cancel_at double precision, ADD COLUMN cancel_reason text;
  CREATE INDEX runs_canceling ON runs (cancel_at) WHERE cancel_at IS NOT NULL AND ended_at IS NULL;
  `,
  `
  ALTER TABLE runs ADD COLUMN forget boolean NOT NULL DEFAULT false;
  ALTER TABLE events ADD COLUMN forget boolean NOT NULL DEFAULT false;
  `,
];

/** The only array type that is sent: lists of text, as Postgres writes them. */
const textArray: postgres.PostgresType<string[]> = {
  to: 1009,
  from: [],
  serialize: (texts: string[]) => `{${texts.map((text) => `"${text.replace(/[\\"]/g, '\\$&')}"`).join(',')}}`,
  parse: (text: string[]) => text,
};

/** A pool that survives the loss of its connections, as one object for its whole life. */
export function connectStore(databaseUrl: string, options: postgres.Options<Record<string, never>>): Sql {
  const current = reconnectingPool((healing) => {
    const types = { textArray };
    const pool = openDatabase(databaseUrl, {
      prepare: true,
      ...healing,
      ...options,
      types,
    }) as unknown as Sql;
    return { pool, end: () => pool.end() };
  });
  const target = (() => {}) as unknown as Sql;
  return new Proxy(target, {
    apply: (_target, _this, values: Parameters<Sql>) => current()(...values),
    get: (_target, name) => Reflect.get(current(), name),
  });
}

/**
 * Opens the runner's schema and brings it up to date. Safe to call by several runners at once.
 *
 * @throws Error when the schema's name is not a plain identifier or was made by a newer version
 */
export async function openStore(databaseUrl: string, schema: string): Promise<Sql> {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) throw new Error(`"${schema}" is not a plain schema name.`);
  const sql = connectStore(databaseUrl, {
    max: 10,
    connection: { search_path: schema, application_name: 'inngest-local' },
  });
  try {
    await sql.begin(async (tx) => {
      await tx`SELECT pg_advisory_xact_lock(hashtext(${`migrate ${schema}`}))`;
      await tx`CREATE SCHEMA IF NOT EXISTS ${tx(schema)}`;
      await tx`CREATE TABLE IF NOT EXISTS meta (version integer NOT NULL)`;
      const version = (await tx<{ version: number }[]>`SELECT version FROM meta`)[0]?.version;
      if (version === undefined) await tx`INSERT INTO meta VALUES (0)`;
      if ((version ?? 0) > MIGRATIONS.length) {
        throw new Error(`The schema "${schema}" was made by a newer version of the local runner.`);
      }
      for (const migration of MIGRATIONS.slice(version ?? 0)) await tx.unsafe(migration);
      await tx`UPDATE meta SET version = ${MIGRATIONS.length}`;
    });
  } catch (error) {
    await sql.end({ timeout: 1 });
    throw error;
  }
  return sql;
}

/** Text that Postgres accepts; for names and the like that are only shown. */
export function stripNulCharacters(text: string): string {
  return text.replaceAll('\0', '\ufffd').slice(0, 1000);
}

/** Deletes runs and events that ended before the given moments (Unix milliseconds). */
export async function purge(sql: Sql, runsBefore: number, seenBefore: number): Promise<void> {
  await sql`DELETE FROM runs WHERE ended_at < ${runsBefore}`;
  await sql`DELETE FROM events WHERE routed AND received_at < ${runsBefore}`;
  await sql`DELETE FROM seen WHERE at < ${seenBefore}`;
}
