import { expect, it } from 'vitest';
import { describeEviction } from './eviction-message';

const NONE = { recordings: 0, uploads: 0, entries: 0 };
const OTHERS = 'If other people use this browser, some of it may have been theirs.';

it('says what’s gone, in numbers', () => {
  expect(describeEviction({ ...NONE, recordings: 2, entries: 3 })).toBe(
    `Your browser deleted 2 recordings that weren’t uploaded and 3 entries kept on this device, most likely to free up space. Entries are still in your journal. ${OTHERS}`,
  );
  expect(describeEviction({ ...NONE, recordings: 1 })).toBe(
    `Your browser deleted 1 recording that wasn’t uploaded, most likely to free up space. ${OTHERS}`,
  );
  expect(describeEviction({ recordings: 1, uploads: 1, entries: 1 })).toContain(
    'deleted 1 recording that wasn’t uploaded, 1 upload that wasn’t finished, and 1 entry kept on this device,',
  );
});
