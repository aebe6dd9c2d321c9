import { expect, it } from 'vitest';
import { findWords } from './find-words';

const words = 'I called Dad and Dàd called me, called'
  .split(' ')
  .map((word, index) => ({ word, start_time: index, end_time: index }));

it.each([
  [
    'dad',
    [
      [2, 2],
      [4, 4],
    ],
  ],
  ['called dad', [[1, 2]]],
  ['  Called   ME ', [[5, 6]]],
  [
    'ed',
    [
      [1, 1],
      [5, 5],
      [7, 7],
    ],
  ],
  [
    'd d',
    [
      [1, 2],
      [3, 4],
    ],
  ],
  ['', []],
  ['nothing', []],
])('finds %j', (text, places) => {
  expect(findWords(words, text).map(({ first, last }) => [first, last])).toEqual(places);
});

it.each([
  ['京都', [[1, 2]]],
  ['京 都に', [[1, 2]]],
  ['カフェ', [[3, 3]]],
  ['は京', [[0, 1]]],
])('finds %j across words that aren’t separated by spaces', (text, places) => {
  const said = ['今日は', '京', '都に', 'ｶﾌｪで'].map((word, time) => ({
    word,
    start_time: time,
    end_time: time,
  }));
  expect(findWords(said, text).map(({ first, last }) => [first, last])).toEqual(places);
});
