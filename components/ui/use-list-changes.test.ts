import { expect, it } from 'vitest';
import { applyChanges } from './use-list-changes';

const note = (id: string, text = id) => ({ id, text });

it('shows local changes over the list, newest additions first', () => {
  const changes = new Map([
    ['b', note('b', 'edited')],
    ['c', null],
    ['d', note('d')],
    ['e', note('e')],
  ]);
  const items = applyChanges([note('a'), note('b'), note('c')], changes);
  expect(items).toEqual([note('e'), note('d'), note('a'), note('b', 'edited')]);
});

it('picks up items that a refresh brings, and shows those it added itself once', () => {
  const changes = new Map([['mine', note('mine')]]);
  const items = applyChanges([note('theirs'), note('mine'), note('old')], changes);
  expect(items).toEqual([note('theirs'), note('mine'), note('old')]);
});
