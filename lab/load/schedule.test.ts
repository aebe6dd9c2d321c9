import { expect, it } from 'vitest';
import { type LoadOptions, readOptions, VICTIMS } from './options';
import { planKills, planUploads } from './schedule';

const options: LoadOptions = {
  minutes: 60,
  people: 30,
  uploads: 300,
  seed: 7,
  kill: [...VICTIMS],
  drainMinutes: 25,
};

it('plans the same uploads and kills for the same seed, and others for another one', () => {
  const plan = (seed: number) =>
    [planUploads({ ...options, seed }), planKills({ ...options, seed })] as const;
  const [first, again, other] = [plan(7), plan(7), plan(8)];
  expect(again).toEqual(first);
  expect(other[0]).not.toEqual(first[0]);
  expect(other[1]).not.toEqual(first[1]);
});

it('plans every upload within the time, with a title of its own, for somebody whose plan fits its kind', () => {
  const planned = planUploads(options);
  expect(new Set(planned.map(({ title }) => title)).size).toBe(300);
  for (const { at, person, kind } of planned) {
    expect(at).toBeLessThan(3_600_000);
    expect(person < 2).toBe(kind === 'held' || kind === 'refused');
  }
  expect(new Set(planned.map(({ kind }) => kind)).size).toBe(13);
});

it('plans as many uploads as asked for, even if there are few', () => {
  expect(planUploads({ ...options, uploads: 1 })).toHaveLength(1);
  expect(planUploads({ ...options, uploads: 12, people: 2 })).toHaveLength(12);
});

it('kills something every 30 to 90 seconds, for 1 to 30 seconds', () => {
  const kills = planKills(options);
  expect(kills.length).toBeGreaterThan(39);
  expect(new Set(kills.map(({ victim }) => victim))).toEqual(new Set(VICTIMS));
  for (const [index, { at, downMs }] of kills.entries()) {
    const gap = at - (kills[index - 1]?.at ?? 0);
    expect(gap).toBeGreaterThanOrEqual(30_000);
    expect(gap).toBeLessThanOrEqual(90_000);
    expect(downMs).toBeGreaterThanOrEqual(1000);
    expect(downMs).toBeLessThanOrEqual(30_000);
  }
  expect(planKills({ ...options, kill: [] })).toEqual([]);
});

it('reads the options, and says what’s wrong with them', () => {
  expect(readOptions(['--minutes', '10', '--kill', 'web,pooler', '--seed', '3'])).toEqual({
    ...options,
    minutes: 10,
    kill: ['web', 'pooler'],
    seed: 3,
  });
  expect(readOptions(['--help'])).toBeNull();
  expect(() => readOptions(['--minutes', 'ten'])).toThrow('--minutes takes a whole number of 1 or more.');
  expect(() => readOptions(['--kill', 'moon'])).toThrow('“moon”');
});
