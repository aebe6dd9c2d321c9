import { expect, it } from 'vitest';
import { PLAN_LIMITS, PLAN_TYPES } from '@/lib/billing/plans/shared/limits';
import { EVENINGS } from './plans';

/** What browsers record at, in bytes a second: 2.5 Mbit/s of video and 128 kbit/s of sound. */
const RECORDED = 2_628_000 / 8;

it.each(PLAN_TYPES)('%s holds as many evenings as it says', (plan) => {
  const { evenings, minutes } = EVENINGS[plan];
  const { videos, seconds, bytes } = PLAN_LIMITS[plan];
  expect(evenings).toBeLessThanOrEqual(videos);
  expect(evenings * minutes * 60).toBeLessThanOrEqual(seconds);
  expect(evenings * minutes * 60 * RECORDED).toBeLessThanOrEqual(bytes);
});
