import { expect, it } from 'vitest';
import { checkGrowth } from './growth';
import { lifetime } from './process-fixtures';

const grows = (minute: number) => 200e6 + minute * 20e6;

it('fails for a process that grows, unless it ended soon', () => {
  expect(checkGrowth([lifetime('web 1', 10, () => 200e6)]).problems).toEqual([]);
  expect(checkGrowth([lifetime('worker 2', 10, grows)]).problems).toEqual(['worker 2 (1) grew by 133 MB']);
  expect(checkGrowth([lifetime('worker 2', 4, grows)]).problems).toEqual([]);
});

it('lets a process warm up to what the longest life of its service used, and no further', () => {
  const long = lifetime('worker 1', 60, () => 400e6);
  expect(checkGrowth([lifetime('worker 2', 12, grows), long]).problems).toEqual([]);
  expect(checkGrowth([lifetime('worker 2', 15, grows), long]).problems).toEqual(['worker 2 (1) used 500 MB']);
  const starting = lifetime('worker 2', 4, (minute) => (minute === 0 ? 900e6 : 200e6));
  expect(checkGrowth([starting, long]).problems, 'as it starts').toEqual([]);
  expect(checkGrowth([lifetime('web 2', 15, grows), long]).problems).toEqual(['web 2 (1) grew by 200 MB']);
});
