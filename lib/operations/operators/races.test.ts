import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { accountDeletions } from '@/db/schema/deletions';
import { recentActivity } from '@/lib/account/activity/service';
import { useFreshDatabase } from '@/test/app-database';
import { makeUser } from '@/test/factories';
import { duringTransaction } from '@/test/open-transaction';
import { disableAccount, enableAccount, grantPlan } from './service';

let end: () => Promise<void>;
beforeAll(async () => {
  end = await useFreshDatabase();
});
afterAll(() => end());

describe('two changes of an account at once', () => {
  const owns = (userId: string) => eq(users.id, userId);
  const deletion = { requestedAt: new Date(), erasesAt: new Date() };

  it('turn it off once', async () => {
    const { id, email } = await makeUser();
    const disabledAt = new Date('2026-01-15');
    const { waited, outcome } = await duringTransaction(
      (tx) => tx.update(users).set({ disabledAt }).where(owns(id)),
      () => disableAccount(email),
    );
    expect([waited, outcome]).toEqual([true, { status: 'fulfilled', value: false }]);
    expect(await db().select().from(users).where(owns(id))).toMatchObject([{ disabledAt }]);
    expect(await recentActivity(id, 10)).toEqual([]);
  });

  it('don’t turn it on once its erasure starts', async () => {
    const { id, email } = await makeUser({ disabledAt: new Date() });
    await db()
      .insert(accountDeletions)
      .values({ userId: id, ...deletion });
    const { waited, outcome } = await duringTransaction(
      async (tx) => {
        await tx.select().from(users).where(owns(id)).for('update');
        await tx
          .update(accountDeletions)
          .set({ startedAt: new Date() })
          .where(eq(accountDeletions.userId, id));
      },
      () => enableAccount(email),
    );
    expect([waited, outcome]).toMatchObject([true, { status: 'rejected', reason: { code: 'conflict' } }]);
    expect(await db().select().from(users).where(owns(id))).toMatchObject([{ disabledAt: expect.any(Date) }]);
  });

  it('give it a plan once', async () => {
    const { id, email } = await makeUser();
    const { waited, outcome } = await duringTransaction(
      (tx) => tx.update(users).set({ grantedPlan: 'Standard' }).where(owns(id)),
      () => grantPlan(email, 'Standard'),
    );
    expect([waited, outcome]).toEqual([true, { status: 'fulfilled', value: false }]);
    expect(await recentActivity(id, 10)).toEqual([]);
  });
});
