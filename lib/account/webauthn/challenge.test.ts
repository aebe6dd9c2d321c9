import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { useFreshDatabase } from '@/test/app-database';
import { isOurChallenge, LIFETIME, newChallenge } from './challenge';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());
afterEach(() => vi.useRealTimers());

const encoded = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

it('is ours for its purpose alone, and for five minutes', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const challenge = encoded(newChallenge('sign-in'));
  expect(isOurChallenge(challenge, 'sign-in')).toBe(true);
  expect(isOurChallenge(challenge, 'register')).toBe(false);
  vi.setSystemTime(Date.now() + LIFETIME - 1);
  expect(isOurChallenge(challenge, 'sign-in')).toBe(true);
  vi.setSystemTime(Date.now() + 1);
  expect(isOurChallenge(challenge, 'sign-in')).toBe(false);
});

it('isn’t ours if a byte of it was changed, is missing, or was added', () => {
  const bytes = newChallenge('sign-in');
  for (let index = 0; index < bytes.length; index += 1) {
    const changed = Uint8Array.from(bytes);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(isOurChallenge(encoded(changed), 'sign-in')).toBe(false);
    expect(isOurChallenge(encoded(bytes.slice(0, index)), 'sign-in')).toBe(false);
  }
  expect(isOurChallenge(encoded(Uint8Array.from([...bytes, 0])), 'sign-in')).toBe(false);
  expect(isOurChallenge('not a challenge', 'sign-in')).toBe(false);
});
