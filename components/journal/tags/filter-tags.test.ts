import { expect, it } from 'vitest';
import { creatableName, filterTags, sortByName } from './filter-tags';

const tag = (name: string) => ({ id: name, name, color: '#FFFFFF' });
const tags = [tag('work'), tag('Family'), tag('Dance')];

it('finds tags by part of their name, ignoring case', () => {
  expect(filterTags(tags, 'FAM')).toEqual([tag('Family')]);
  expect(filterTags(tags, ' a ').map(({ name }) => name)).toEqual(['Family', 'Dance']);
  expect(filterTags(tags, '')).toHaveLength(3);
});

it('offers to create only names that no tag has', () => {
  expect(creatableName(tags, ' family ')).toBe('');
  expect(creatableName(tags, ' Fam ')).toBe('Fam');
  expect(creatableName(tags, '  ')).toBe('');
});

it('sorts by name', () => {
  expect(sortByName(tags).map(({ name }) => name)).toEqual(['Dance', 'Family', 'work']);
});
