import { expect, it } from 'vitest';
import { createPartBuffer } from './part-buffer';

const slice = (text: string) => new Blob([text]);
const textOf = async (part: Promise<Blob | null>) => (await part)?.text() ?? null;

it('splits slices of any length into equal parts and returns the last one at the end', async () => {
  const source = createPartBuffer(4);
  const first = textOf(source.getPart(1));
  source.write(slice('ab'));
  source.write(slice('cdefghi'));
  expect([await first, await textOf(source.getPart(2))]).toEqual(['abcd', 'efgh']);
  const last = textOf(source.getPart(3));
  source.write(slice('jk'));
  source.end();
  expect([await last, await textOf(source.getPart(4)), source.size()]).toEqual(['ijk', null, 11]);
  expect(await textOf(source.getPart(1))).toBe('abcd');
});

it('has no extra part if the slices fill the parts', async () => {
  const source = createPartBuffer(2);
  source.write(slice('abcd'));
  source.end();
  expect([await textOf(source.getPart(2)), await textOf(source.getPart(3))]).toEqual(['cd', null]);
});
