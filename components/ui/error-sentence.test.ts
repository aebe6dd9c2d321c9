import { expect, test } from 'vitest';
import { ApiError } from '@/lib/contract/client';
import { errorSentence } from './error-sentence';

const MARKED = 'Please check the marked fields.';
const invalid = (fields: Record<string, string>) => new ApiError(400, 'validation_failed', MARKED, fields);

test('says what the server says', () => {
  expect(errorSentence(new ApiError(409, 'conflict', 'It has changed.'))).toBe('It has changed.');
  expect(errorSentence(new ApiError(409, 'conflict', 'Taken.', { email: 'Taken.' }))).toBe('Taken.');
});

test("names the wrong fields that aren't marked, each sentence once", () => {
  const error = invalid({ title: 'Must have a title.', date: 'Too old.', day: 'Too old.' });
  expect(errorSentence(error)).toBe('Must have a title. Too old.');
  expect(errorSentence(error, ['title'])).toBe(`${MARKED} Too old.`);
  expect(errorSentence(error, ['title', 'date', 'day'])).toBe(MARKED);
});

test("doesn't show an error of the page itself", () => {
  expect(errorSentence(new TypeError("Cannot read properties of undefined (reading 'id')"))).toBe(
    'Network Error',
  );
  expect(errorSentence('Something else')).toBe('Network Error');
});
