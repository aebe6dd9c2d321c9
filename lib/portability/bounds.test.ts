import { describe, expect, it, vi } from 'vitest';
import * as exports from '@/lib/portability/exports/contract';
import * as archive from '@/lib/portability/imports/archive/contract';
import * as clips from '@/lib/portability/imports/clips/contract';
import * as history from '@/lib/portability/imports/history/contract';
import { atMost, type BoundCase, between, idFor, letters, many, tryBound, upTo } from '@/test/bounds';

const AT = '2026-03-01T18:30:00.000Z';
const sha256 = '0'.repeat(64);
const twin = (n: number) => ({ id: `${n}`, date: '2026-03-01' });
const tag = (n: number) => ({ name: `Tag ${n}`, color: '#336699' });
const note = { text: 'a', moment: null, createdAt: AT };
const file = { file_name: 'a.mp4', content_type: 'video/mp4', size: 1, duration: null, title: 'A day' };
const entry = (more: object) => ({
  ...{ import_id: idFor(1), ...file, sha256, twins: [twin(0)], twin: 0, date: '2026-03-01', createdAt: AT },
  ...{ tags: [], notes: [], hiddenAt: null, transcript: null, ...more },
});
const clip = (more: object) => ({
  ...{ clip_id: '1', ...file, titleFromWords: false, date: '2026-03-01', recordedAt: null },
  ...{ tags: [], notes: [], ...more },
});
const journal = (more: object) => ({
  ...{ import_id: idFor(1), exportedAt: AT, tags: [], vocabulary: [], hiddenTags: [], hiddenDates: [] },
  ...more,
});
const revision = (more: object) => ({
  ...{ revision: 0, createdAt: AT, engine: null, draft: false, estimated: false, logProbability: null },
  ...{ words: [], ...more },
});

const CASES: BoundCase[] = [
  ['entries to export', exports.createExport.body, (n) => ({ entries: many(n, idFor) }), between(1, 500)],
  ['the first year to export', exports.createExport.body, (fromYear) => ({ fromYear }), between(1, 9999)],
  ['the last year to export', exports.createExport.body, (toYear) => ({ toYear }), between(1, 9999)],
  [
    'the last year after the first one',
    exports.createExport.body,
    (fromYear) => ({ fromYear, toYear: 2026 }),
    atMost(2026),
  ],
  [
    'an import’s name',
    history.createImport.body,
    (n) => ({ kind: 'files', name: letters(n) }),
    between(1, 255),
  ],
  [
    'videos to check',
    archive.checkImport.body,
    (n) => ({ videos: many(n, () => ({ sha256, twins: [twin(0)] })) }),
    upTo(500),
  ],
  [
    'twins',
    archive.checkImport.body,
    (n) => ({ videos: [{ sha256, twins: many(n, twin) }] }),
    between(1, 1000),
  ],
  [
    'an id in an archive',
    archive.checkImport.body,
    (n) => ({ videos: [{ sha256, twins: [{ ...twin(0), id: letters(n) }] }] }),
    upTo(100),
  ],
  ['an archive’s tags', archive.importJournal.body, (n) => journal({ tags: many(n, tag) }), upTo(5000)],
  [
    'an archive’s words',
    archive.importJournal.body,
    (n) => journal({ vocabulary: many(n, () => 'Siobhan') }),
    upTo(200),
  ],
  [
    'an archive’s hidden tags',
    archive.importJournal.body,
    (n) => journal({ hiddenTags: many(n, (nth) => ({ name: `${nth}`, createdAt: AT })) }),
    upTo(5000),
  ],
  [
    'an archive’s hidden dates',
    archive.importJournal.body,
    (n) => journal({ hiddenDates: many(n, () => ({ date: '2026-03-01', createdAt: AT })) }),
    upTo(5000),
  ],
  ['an imported entry’s tags', archive.importEntry.body, (n) => entry({ tags: many(n, tag) }), upTo(1000)],
  [
    'an imported entry’s notes',
    archive.importEntry.body,
    (n) => entry({ notes: many(n, () => note) }),
    upTo(5000),
  ],
  ['which twin an entry is', archive.importEntry.body, (n) => entry({ twin: n }), between(0, 999)],
  [
    'an imported language',
    archive.importEntry.body,
    (n) => entry({ transcript: { status: 'completed', language: letters(n), sha256 } }),
    between(1, 35),
  ],
  [
    'an imported revision’s number',
    archive.importRevision.body,
    (n) => revision({ revision: n }),
    between(0, 1_000_000),
  ],
  [
    'an imported revision’s engine',
    archive.importRevision.body,
    (n) => revision({ engine: letters(n) }),
    between(1, 200),
  ],
  [
    'an imported revision’s log-probability',
    archive.importRevision.body,
    (n) => revision({ logProbability: n }),
    between(-1000, 1000),
  ],
  [
    'an imported word’s confidence',
    archive.importRevision.body,
    (n) => revision({ words: [['so', 0, 1, n]] }),
    between(0, 1),
  ],
  ['a clip’s id', clips.importClip.body, (n) => clip({ clip_id: letters(n) }), between(1, 200)],
  ['a clip’s tags', clips.importClip.body, (n) => clip({ tags: many(n, tag) }), upTo(1000)],
  ['a clip’s notes', clips.importClip.body, (n) => clip({ notes: many(n, () => note) }), upTo(5000)],
  [
    'sizes to find',
    clips.findVideos.body,
    (n) => ({ videos: many(n, (nth) => ({ size: nth + 1 })) }),
    upTo(1000),
  ],
];

describe('the limits of imports and exports', () => {
  it.each(CASES)('hold for %s', (_name, schema, send, bound) => {
    expect(tryBound(schema, send, bound)).toEqual(bound);
  });

  it('take moments from 1900 up to a day from now, since another site’s clock may be fast', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 20, 10, 30) });
    try {
      const isTaken = (at: string) => archive.moment.safeParse(at).success;
      const early = ['1899-12-31T23:59:59.999Z', '1900-01-01T00:00:00.000Z'];
      const late = ['2026-11-21T10:30:00.000Z', '2026-11-21T10:30:00.001Z'];
      expect([...early, ...late].map(isTaken)).toEqual([false, true, true, false]);
    } finally {
      vi.useRealTimers();
    }
  });
});
