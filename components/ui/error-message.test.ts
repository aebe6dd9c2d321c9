import { expect, test } from 'vitest';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';
import { errorMessage } from './error-message';

const MARKED = 'Check the highlighted fields and try again.';
const invalid = (fields: Record<string, string>) => new ApiError(400, 'validation_failed', MARKED, fields);

test('says what the server says', () => {
  expect(errorMessage(new ApiError(409, 'conflict', 'It has changed.'))).toBe('It has changed.');
  expect(errorMessage(new ApiError(409, 'conflict', 'Taken.', { email: 'Taken.' }))).toBe('Taken.');
});

test("names the wrong fields that aren't marked, each sentence once", () => {
  const error = invalid({ title: 'Must have a title.', date: 'Too old.', day: 'Too old.' });
  expect(errorMessage(error)).toBe('Must have a title. Too old.');
  expect(errorMessage(error, ['title'])).toBe(`${MARKED} Too old.`);
  expect(errorMessage(error, ['title', 'date', 'day'])).toBe(MARKED);
});

test("doesn't show an error of the page itself", () => {
  expect(errorMessage(new TypeError("Cannot read properties of undefined (reading 'id')"))).toBe(
    'Network Error',
  );
  expect(errorMessage('Something else')).toBe('Network Error');
});
