import { expect, it } from 'vitest';
import { planImport } from './plan-import';

const USAGE = {
  currentPlan: 'Free' as const,
  storageLimit: 5000,
  storageUse: 1000,
  videoCountLimit: 30,
  videoCount: 27,
  timeLimit: 100,
  timeUse: 40,
};
const LIMITS = { bytes: 3500, seconds: 60 };

/** Returns the titles of what a plan imports, of what doesn't fit, and of what's refused. */
function plan(
  videos: [title: string, bytes: number, seconds: number][],
  states: ('new' | 'started' | 'exists')[] = videos.map(() => 'new'),
) {
  const items = videos.map(([title, bytes, seconds], index) => ({
    ...{ id: title, title, bytes, seconds, date: `202${index}-01-01` },
    problem: title === 'gone' ? 'It isn’t there.' : null,
    send: async () => {},
  }));
  const planned = planImport(items, states, { usage: USAGE, limits: LIMITS });
  const titles = [planned.wanted, planned.unfit, planned.refused].map((list) =>
    list.map(({ title }) => title).join(' '),
  );
  return { ...planned, titles };
}

it('takes what fits into the plan, oldest first, and shorter ones after one that doesn’t', () => {
  expect(
    plan([
      ['a', 3000, 10],
      ['b', 2000, 10],
      ['c', 500, 10],
    ]).titles,
  ).toEqual(['a c', 'b', '']);
  expect(
    plan([
      ['a', 1, 50],
      ['b', 1, 20],
      ['c', 1, 10],
    ]).titles,
  ).toEqual(['a c', 'b', '']);
  expect(plan(['a', 'b', 'c', 'd'].map((title) => [title, 1, 1])).titles).toEqual(['a b c', 'd', '']);
});

it('counts no space for what is here or was started', () => {
  const { titles, existing } = plan(
    [
      ['a', 3000, 10],
      ['b', 3000, 10],
      ['c', 3000, 10],
    ],
    ['exists', 'started', 'new'],
  );
  expect([titles, existing]).toEqual([['b c', '', ''], 1]);
});

it('says what was chosen, and what of it can’t be imported', () => {
  const planned = plan([
    ['gone', 10, 10],
    ['large', 3600, 10],
    ['long', 10, 61],
    ['fine', 10, 10],
  ]);
  expect(planned).toMatchObject({ total: 4, bytes: 3630, years: ['2020', '2023'] });
  expect(planned.spaceLeft).toBe('3 more videos, 4.00 kB, and 1 minute');
  expect(planned.titles).toEqual(['fine', '', 'gone large long']);
  expect(planned.refused.map(({ reason }) => reason)).toEqual([
    'It isn’t there.',
    'This file is too large. Videos can be up to 3.5 kB.',
    'This video is too long. Videos can be up to 1 minute.',
  ]);
});
