import { allCanaries } from './canaries';
import type { LeakFixture } from './fixture';
import type { ResponseHandler } from './responses';
import { transcriptResponse } from './responses';

/** Breaks something, and returns what mends it and says how often it was met. */
export type FaultInjector = () => Promise<() => Promise<number>>;

/** What can be broken, each quoting all phrases. */
export function createFaults(stage: LeakFixture) {
  /** Lets a trigger fail the first `times` writes of this kind, quoting the row in all that a trigger can say. */
  async function breakWrites(table: string, condition: string, times = 1000): ReturnType<FaultInjector> {
    const { sql } = stage;
    await sql.unsafe(`create sequence canary_hits;
    create function canary_failure() returns trigger language plpgsql as $$ begin
      if nextval('canary_hits') <= ${times} then
        raise exception 'Failing row: % ${allCanaries}', row_to_json(new)
          using detail = 'Key (title)=(${allCanaries})', hint = '${allCanaries}', errcode = 'check_violation';
      end if;
      return new;
    end $$;
    create trigger canary before insert or update on ${table} for each row when (${condition})
      execute function canary_failure()`);
    return async () => {
      const [row] = await sql<
        { hits: number }[]
      >`select case when is_called then last_value else 0 end::int as hits from canary_hits`;
      await sql.unsafe(
        `drop trigger canary on ${table}; drop function canary_failure(); drop sequence canary_hits`,
      );
      return row?.hits ?? 0;
    };
  }

  /** Lets a constraint fail: Postgres quotes the whole row, Drizzle all parameters. */
  async function breakConstraint(table: string, condition: string): ReturnType<FaultInjector> {
    await stage.sql.unsafe(`alter table ${table} add constraint canary check (${condition}) not valid`);
    return async () => {
      await stage.sql.unsafe(`alter table ${table} drop constraint canary`);
      return 1;
    };
  }

  /** Lets storage refuse requests for keys that match. */
  async function breakStorage(method: string, ending: RegExp): ReturnType<FaultInjector> {
    const before = stage.hits.storage;
    stage.faults.storage = (asked, key) => asked === method && ending.test(key);
    return async () => {
      stage.faults.storage = () => false;
      return stage.hits.storage - before;
    };
  }

  async function breakSpeech(...answers: ResponseHandler[]): ReturnType<FaultInjector> {
    const before = stage.hits.speech;
    let calls = 0;
    stage.faults.speech = (incoming, outgoing) => {
      const [respond = transcriptResponse] = [answers[Math.min(calls, answers.length - 1)]];
      calls += 1;
      respond(incoming, outgoing);
    };
    return async () => {
      return stage.hits.speech - before;
    };
  }

  async function breakFfmpeg(): ReturnType<FaultInjector> {
    await stage.breakFfmpeg();
    return async () => {
      await stage.mendFfmpeg();
      return 1;
    };
  }

  async function breakEvents(times: number): ReturnType<FaultInjector> {
    const before = stage.hits.events;
    stage.faults.events = times;
    return async () => stage.hits.events - before;
  }

  return { breakWrites, breakConstraint, breakStorage, breakSpeech, breakFfmpeg, breakEvents };
}
