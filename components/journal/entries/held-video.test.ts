import { expect, it } from 'vitest';
import { describeHeldVideo } from './held-video';

const HOUR = 3600;
const options = {
  plan: 'Free' as const,
  canChangePlan: true,
  secondsLeft: HOUR,
  secondsOver: HOUR,
  upgrade: 'Basic' as const,
  deleting: true,
};

it.each([
  [
    'offers every way out',
    options,
    'your Free plan has 1 hour left. To process it, upgrade to Basic, or delete 1 hour of other videos.',
  ],
  [
    'names the site’s people where only they can give more',
    { ...options, canChangePlan: false, upgrade: null, deleting: false },
    'your Free plan holds 3 hours in all. Ask the site’s administrator for a larger plan, or upload it in shorter parts.',
  ],
  [
    'sends nobody for a plan that doesn’t exist',
    { ...options, plan: 'Standard' as const, canChangePlan: false, upgrade: null, deleting: false },
    'your Standard plan holds 7.08 days in all. Upload it in shorter parts instead.',
  ],
  [
    'promises no more than the sweep keeps',
    { ...options, secondsLeft: 2 * HOUR, secondsOver: 0 },
    'your Free plan has 2 hours left. It fits now. We’ll start processing it within two minutes.',
  ],
])('%s', (_, given, expected) => {
  expect(describeHeldVideo(2 * HOUR, given)).toBe(`Your upload is saved. It’s 2 hours long, and ${expected}`);
});
