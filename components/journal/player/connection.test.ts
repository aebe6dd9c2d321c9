import { expect, it } from 'vitest';
import { isSlowOrMetered } from './connection';

it.each([
  ['says nothing', {}, false],
  ['is fast', { saveData: false, effectiveType: '4g', downlink: 10 }, false],
  ['hasn’t been measured yet, over a cable', { effectiveType: '4g', downlink: 1.45 }, false],
  ['is to save data', { saveData: true, effectiveType: '4g', downlink: 10 }, true],
  ['is 3G', { effectiveType: '3g', downlink: 1.45 }, true],
  ['is slower than 2G', { effectiveType: 'slow-2g', downlink: 0.05 }, true],
  ['was measured to be slow', { effectiveType: '4g', downlink: 1.1 }, true],
])('tells whether a connection is slow or metered that %s', (_, connection, isSlow) => {
  expect(isSlowOrMetered(connection)).toBe(isSlow);
});
