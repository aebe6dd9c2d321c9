import { expect, it } from 'vitest';
import { codeOf } from './errors';

/** Wraps an error so many times. */
const wrapped = (error: Error, times: number): Error =>
  times === 0 ? error : wrapped(new Error('wrapped', { cause: error }), times - 1);

it('finds the code of an error within others', () => {
  const refused = Object.assign(new Error('refused'), { code: '23505' });
  for (const times of [0, 1, 4]) expect(codeOf(wrapped(refused, times))).toBe('23505');
});

it('gives up on an error that’s its own cause', () => {
  const circular = new Error('circular');
  circular.cause = wrapped(circular, 1);
  expect(codeOf(circular)).toBeUndefined();
});
