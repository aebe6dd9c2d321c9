import { expect, it } from 'vitest';
import { groupBy } from './group-by';

it('groups items by their keys, in the order they have', () => {
  const days = ['2026-02-02', '2026-02-01', '2026-01-31', '2026-01-30'];
  expect([...groupBy(days, (day) => day.slice(0, 7))]).toEqual([
    ['2026-02', ['2026-02-02', '2026-02-01']],
    ['2026-01', ['2026-01-31', '2026-01-30']],
  ]);
});
