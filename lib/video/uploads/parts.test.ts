import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { receivedParts } from './parts';

const digest = (text: string) => createHash('md5').update(text);
const stored = (number: number, text: string) => ({
  number,
  size: text.length,
  etag: `"${digest(text).digest('hex')}"`,
});
const signed = (number: number, text: string) => ({
  number,
  size: text.length,
  md5: digest(text).digest('base64'),
});

it('receives the signed bytes of a part that storage lists twice, in any order', () => {
  const found = {
    signed: [signed(1, 'new'), signed(2, 'end')],
    upload: { entryId: 'entry', multipartId: 'id', etagsAreMd5: true, size: null },
  };
  const twice = [stored(1, 'new'), stored(1, 'old')];
  const expected = [
    { ...stored(1, 'new'), md5: signed(1, 'new').md5 },
    { ...stored(2, 'end'), md5: signed(2, 'end').md5 },
  ];
  for (const first of [twice, twice.toReversed()]) {
    expect(receivedParts([...first, stored(2, 'end')], found)).toEqual(expected);
  }
});

it('receives a part once that storage lists twice with the same bytes', () => {
  const found = {
    signed: [signed(1, 'same')],
    upload: { entryId: 'entry', multipartId: 'id', etagsAreMd5: false, size: null },
  };
  expect(receivedParts([stored(1, 'same'), stored(1, 'same')], found)).toHaveLength(1);
});

it('receives no part of another size than the signed one, whatever its ETag is', () => {
  const found = {
    signed: [signed(1, 'four')],
    upload: { entryId: 'entry', multipartId: 'id', etagsAreMd5: false, size: null },
  };
  const opaque = { ...stored(1, 'four'), etag: '"no checksum"' };
  expect(receivedParts([opaque, { ...opaque, size: 5 }], found)).toEqual([
    { ...opaque, md5: signed(1, 'four').md5 },
  ]);
});
