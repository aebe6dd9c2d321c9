import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attachment } from './content-disposition';

describe('the name that a response is saved under', () => {
  it.each([
    ['a walk.mp4', `filename="a walk.mp4"; filename*=UTF-8''a%20walk.mp4`],
    ['Café 100%.mp4', `filename="Cafe 100_.mp4"; filename*=UTF-8''Caf%C3%A9%20100%25.mp4`],
    [`"it's" (1*).txt`, `filename="_it's_ (1*).txt"; filename*=UTF-8''%22it%27s%22%20%281%2A%29.txt`],
    ['שלום.txt', `filename="____.txt"; filename*=UTF-8''%D7%A9%D7%9C%D7%95%D7%9D.txt`],
    ['🌊.vtt', `filename="_.vtt"; filename*=UTF-8''%F0%9F%8C%8A.vtt`],
  ])('is %s', (name, parameters) => {
    expect(attachment(name)).toBe(`attachment; ${parameters}`);
  });

  it('is whole after any transfer, and ends no header', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const [, ascii, encoded = ''] =
          /^attachment; filename="([\x20-\x7e]*)"; filename\*=UTF-8''([\w.!~%-]*)$/.exec(attachment(name)) ??
          [];
        expect(ascii).not.toMatch(/[%"\\]/);
        expect(decodeURIComponent(encoded)).toBe(name.toWellFormed());
      }),
    );
  });
});
