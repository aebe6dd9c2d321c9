import { expect, it } from 'vitest';
import { fileResponse } from './file-response';

const file = { fileName: 'Zoë’s day.txt', contentType: 'text/plain' };

it('has all of a text, or its parts in order, to save under its name', async () => {
  async function* parts() {
    yield* ['one ', '', 'twö'];
  }
  for (const text of ['one twö', parts()]) {
    const response = fileResponse({ ...file, text });
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; .*filename\*=UTF-8''Zo%C3%AB/);
    expect(await response.text()).toBe('one twö');
  }
});

it('makes no part that the client doesn’t wait for, and ends with it', async () => {
  const made: number[] = [];
  let isEnded = false;
  async function* parts() {
    try {
      for (let n = 0; n < 1000; n += 1) {
        made.push(n);
        yield `${n}`;
      }
    } finally {
      isEnded = true;
    }
  }
  const reader = fileResponse({ ...file, text: parts() }).body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('0');
  await reader?.cancel();
  expect(made.length).toBeLessThan(5);
  expect(isEnded).toBe(true);
});
