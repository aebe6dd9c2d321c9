import { afterAll, beforeAll, expect, it } from 'vitest';
import { useFreshDatabase } from '@/test/app-database';
import { countAttempt, type RateLimit } from './service';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

/** How many of `count` tries for one subject pass. */
async function passing(limit: RateLimit, count: number, subject: string, clientOf: (n: number) => string) {
  const tries = Array.from({ length: count }, (_, n) =>
    countAttempt(limit, { subject, client: clientOf(n) }),
  );
  return (await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled').length;
}

it.each(['login', 'passkey', 'register', 'reset', 'resend', 'password', 'second-factor'] as const)(
  'lets one client try ten times for one subject: %s',
  async (limit) => {
    const here = () => '192.0.2.1';
    expect(await passing(limit, 9, 'ada@example.com', here)).toBe(9);
    expect(await passing(limit, 1, 'ada@example.com', here)).toBe(1);
    expect(await passing(limit, 1, 'ada@example.com', here)).toBe(0);
    expect(await passing(limit, 1, 'ada@example.com', () => '192.0.2.2')).toBe(1);
  },
);

it.each([
  ['second-factor', 30],
  ['export', 60],
] as const)(
  'lets nobody try for one subject more often, from anywhere: %s, %i times',
  async (limit, most) => {
    const anywhere = (n: number) => `client ${n}`;
    expect(await passing(limit, most + 1, 'grace@example.com', anywhere)).toBe(most);
    expect(await passing(limit, 1, 'alan@example.com', anywhere)).toBe(1);
  },
);
