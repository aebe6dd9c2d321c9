import { expect, it } from 'vitest';
import { sourceOfFile } from '@/components/portability/imports/sources/source-file';
import { type ClipReview, toChosenClips } from './clip-review';

const clipOf = (id: string, title: string, isTitleTelling: boolean) => ({
  ...{ id, title, isTitleTelling, type: 'video/mp4', seconds: 1, isLivePhoto: false, notes: [], tags: [] },
  file: sourceOfFile(new File(['x'], `${id}.mp4`)),
  date: { date: '2020-05-06', source: 'modified' as const, warning: null, others: [], startedAt: null },
});

it('has a title that’s only a day follow the date, unless the user has changed it', () => {
  const clips = [
    clipOf('a', 'Video from May 6, 2020', false),
    clipOf('b', 'Video from May 6, 2020', false),
    clipOf('c', 'Lake on May 6', true),
  ];
  const review: ClipReview = {
    ...{ kind: 'files', handles: [], clips, duplicates: new Map(), problems: new Map(), refused: [] },
    ...{ withoutVideo: 0, usage: {} as ClipReview['usage'] },
  };
  const titles = ['Video from May 6, 2020', 'My video', 'Lake on May 6'];
  const rows = clips.map(({ id }, index) => ({
    id,
    title: titles[index] ?? '',
    tags: [],
    date: '2017-02-03',
  }));
  expect(toChosenClips(review, rows).map(({ values }) => [values.title, values.titleFromWords])).toEqual([
    ['Video from February 3, 2017', true],
    ['My video', false],
    ['Lake on May 6', false],
  ]);
});
