import type postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admissionScope } from '@/lib/foundation/admission';
import { useFreshDatabase } from '@/test/app-database';
import { openDatabase } from './connect';
import { boundedPool } from './deadlines';

let end: () => Promise<void>;
beforeAll(async () => {
  end = await useFreshDatabase();
});
afterAll(() => end());

describe('the requests of an account', () => {
  it.each([
    [1, 1],
    [2, 1],
    [5, 2],
    [10, 4],
    [40, 4],
  ])('hold at most half of %i connections, and at most four', async (connections, share) => {
    const pool = boundedPool(
      (options) => openDatabase(process.env.DATABASE_URL ?? '', { ...options, max: connections }),
      (opened): postgres.Sql => opened,
      { connections, waitMs: () => 600_000, answerMs: 600_000 },
    );
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    let begun = 0;
    const transact = () =>
      pool().begin(async (tx) => {
        await tx.unsafe('select 1');
        begun += 1;
        await opened;
      });
    const held = Array.from({ length: 8 }, () => admissionScope.run({ account: 'ada' }, transact));
    await expect.poll(() => begun, { timeout: 20_000 }).toBe(share);
    const ask = () => pool().unsafe('select 1 as one');
    if (share < connections) {
      // Another account's, and whatever has none.
      const answers = [admissionScope.run({ account: 'bob' }, ask), ask()];
      for (const answer of answers) expect(await answer).toMatchObject([{ one: 1 }]);
    }
    expect(begun).toBe(share);
    open();
    await Promise.all(held);
    expect(begun).toBe(8);
    await pool().end();
  });
});
