import { describe, expect, it } from 'vitest';
import { isValidCallbackUrl, parseForm, sanitizeUrl, toAscii } from './sanitize-input';

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json; charset=utf-8';

describe('the page that next-auth goes on to', () => {
  it.each(['/journals', '/entry/1?t=2', 'https://elsewhere.example/', 'http://localhost:3000/x', '//host/x'])(
    'may be %s, as it reads that',
    (address) => expect(isValidCallbackUrl(address)).toBe(true),
  );

  it.each(['', 'journals', 'javascript:alert(1)', 'data:text/html,x', 'https://', '//', 'https://[::1'])(
    'can’t be %j',
    (address) => expect(isValidCallbackUrl(address)).toBe(false),
  );

  it('is left out of an address if it isn’t one, and nothing else is', () => {
    const address = 'https://site.example/api/auth/signin?callbackUrl=nowhere&error=x&error=y';
    expect(String(sanitizeUrl(address))).toBe('https://site.example/api/auth/signin?error=x&error=y');
    const good = 'https://site.example/api/auth/signin?callbackUrl=%2Fjournals';
    expect(String(sanitizeUrl(good))).toBe(good);
  });
});

describe('a form', () => {
  const read = (text: string, type: string) => [...parseForm(Buffer.from(text), type)];

  it('is read as a form or as JSON, and as nothing else', () => {
    const pairs = [
      ['csrfToken', 'a b'],
      ['callbackUrl', '/journals'],
    ];
    expect(read('csrfToken=a+b&callbackUrl=%2Fjournals', FORM)).toEqual(pairs);
    expect(read('{"csrfToken":"a b","callbackUrl":"/journals"}', JSON_TYPE)).toEqual(pairs);
    expect(read('csrfToken=a', 'text/plain')).toEqual([]);
  });

  it('has no destination that isn’t one', () => {
    expect(read('callbackUrl=nowhere&a=1', FORM)).toEqual([['a', '1']]);
    expect(read('{"callbackUrl":"nowhere","a":"1"}', JSON_TYPE)).toEqual([['a', '1']]);
  });

  it('has texts, numbers, and yes or no from JSON, without what’s nested', () => {
    expect(read('{"a":1,"b":true,"c":null,"d":[1],"e":{"f":1}}', JSON_TYPE)).toEqual([
      ['a', '1'],
      ['b', 'true'],
    ]);
  });

  it.each(['', '{', 'null', '[]', '"text"', '7'])('can’t be the JSON %j', (text) => {
    expect(() => read(text, JSON_TYPE)).toThrow(expect.objectContaining({ code: 'bad_request' }));
  });

  it('has only what a header can carry', () => {
    expect(toAscii('a ~é\n日\ud800')).toBe('a ~%C3%A9%0A%E6%97%A5%EF%BF%BD');
    expect(read('name=%C3%A9', FORM)).toEqual([['name', '%C3%A9']]);
    expect(read('{"name":"é"}', JSON_TYPE)).toEqual([['name', '%C3%A9']]);
  });
});
