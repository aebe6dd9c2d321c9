import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { codeOf } from './error-code';

export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** How long before its end something is tried, in seconds. More than a test takes. */
const MARGIN = 5 * MINUTE;

/** Whether something is done, and not refused. */
export const works = async (work: Promise<unknown>) => (await codeOf(work)) === 'ok';

type Table = 'invitations' | 'mail_links' | 'security_notices' | 'refresh_tokens';

/** Lets time pass for the rows of a table, since the database has a clock of its own. */
export const passIn = (table: Table) => (seconds: number) =>
  db().execute(
    sql`update ${sql.identifier(table)} set expires_at = expires_at - ${seconds} * interval '1 second'`,
  );

/** Lets time pass for what carries its end with it. */
export const passHere = async (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

/** Something that gives access for a while. */
export interface Lifetime {
  what: string;
  /** In seconds. */
  lifetime: number;
  /** How far its readers' clocks may be behind, in seconds. */
  skew?: number;
  pass: (seconds: number) => Promise<unknown>;
  /** Creates a new one. Resolves to a way to try it. */
  create(): Promise<() => Promise<boolean>>;
}

/** Tests that each works until just before its end, and not after it. Fakes the clock of this process. */
export function testLifetimes(all: readonly Lifetime[]): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
    return () => vi.useRealTimers();
  });
  for (const { what, lifetime, skew = 0, pass, create } of all) {
    describe(what, () => {
      it('works until just before its end', async () => {
        const tryIt = await create();
        await pass(lifetime - Math.min(MARGIN, lifetime / 5));
        expect(await tryIt()).toBe(true);
      });

      it('doesn’t work just after its end', async () => {
        const tryIt = await create();
        await pass(lifetime + skew + 1);
        expect(await tryIt()).toBe(false);
      });
    });
  }
}
