import { expect, it } from 'vitest';
import { placeOf } from './place';

const at = (path: string) => placeOf(new URL(path, 'https://daylight.example'));

it('opens to the studio', () => {
  for (const path of ['/', '/upload', '/upload?question=3', '/upload/'])
    expect(at(path)).toEqual({ name: 'studio' });
});

it('finds an entry and the second in its address', () => {
  expect(at('/entry/abc/a-walk?t=65')).toEqual({ name: 'entry', id: 'abc', startAt: 65 });
  expect(at('/entry/abc')).toEqual({ name: 'entry', id: 'abc', startAt: null });
});

it('shows what’s on this device at other addresses', () => {
  expect(at('/settings/device')).toEqual({ name: 'settings' });
  for (const path of ['/journals', '/search?query=walk', '/upload/import', '/surprise'])
    expect(at(path)).toEqual({ name: 'journal' });
});
