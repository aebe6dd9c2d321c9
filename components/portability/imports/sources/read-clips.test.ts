import { describe, expect, it, vi } from 'vitest';
import { PROBLEMS } from '@/components/portability/imports/archive-problem';
import { generateClips, HOME, NOW } from '@/test/dated-clips';
import { mp4Clip } from '@/test/media/small-clips';
import { packedZip } from '@/test/packed-zip';
import { type Clip, readClips } from './read-clips';
import { type SourceFile, sourceOfFile, sourcesOfZip } from './source-file';

const reader = { zone: HOME, now: NOW };
const OLD = Date.UTC(2018, 4, 5, 12);
const fileAt = (path: string, content: Uint8Array | string = mp4Clip({}), lastModified = OLD) =>
  sourceOfFile(
    new File([new Uint8Array(Buffer.from(content))], path.split('/').at(-1) ?? '', { lastModified }),
    path,
  );
const zipOf = (members: Record<string, Uint8Array | string>, name = 'export.zip') =>
  sourcesOfZip(
    new File(
      [
        new Uint8Array(
          packedZip(
            Object.entries(members).map(([path, content]) => ({
              ...{ name: path, content: Buffer.from(content), method: 8, flags: 1 << 11 },
            })),
          ),
        ),
      ],
      name,
    ),
  );

describe('500 clips with known dates, in eleven kinds of metadata', () => {
  it('are all correct or flagged, and none is silently wrong, or today', async () => {
    const { files, truths } = await generateClips();
    const { clips, ignored } = await readClips(files, reader);
    expect(ignored).toEqual([]);
    expect(clips).toHaveLength(500);
    const checked = clips.map((clip) => {
      const truth = truths.get(clip.file.path);
      if (!truth) throw new Error(`an unknown clip: ${clip.file.path}`);
      return {
        clip,
        ...truth,
        isRight: clip.date.date === truth.date,
        isFlagged: clip.date.warning !== null,
      };
    });
    const silent = checked.filter(({ isRight, isFlagged }) => !isRight && !isFlagged);
    expect(
      silent.map(({ clip, kind, date }) => ({ kind, date, found: clip.date, path: clip.file.path })),
    ).toEqual([]);
    expect(clips.filter(({ date }) => date.date === '2026-03-01')).toEqual([]);
    const flagged = new Map<string, number>();
    for (const { kind, isFlagged } of checked)
      flagged.set(kind, (flagged.get(kind) ?? 0) + Number(isFlagged));
    expect(Object.fromEntries(flagged)).toEqual({
      // Where the time zone is known, nothing needs a look.
      ...{ 'creation date': 0, 'header and name': 0, AVI: 0, 'Day One': 0 },
      // Some have words behind the number that's the day.
      folder: 12,
      // Some names have the day and the month as numbers, and either one may come first.
      name: 4,
      // Close to midnight, the others do. A third of these clips are.
      ...{ sidecar: expect.any(Number), 'new sidecar': expect.any(Number) },
      ...{ header: expect.any(Number), Matroska: expect.any(Number), 'last change': 10 },
    });
    expect(checked.filter(({ isFlagged }) => isFlagged).length).toBeLessThan(150);
    expect(checked.filter(({ isRight }) => isRight).length).toBeGreaterThan(440);
  });

  it('have the same ids and dates when they’re read again, in their order', async () => {
    const shown = ({ clips }: { clips: Clip[] }) => clips.map(({ id, date }) => ({ id, date }));
    const [{ files }, { files: again }] = [await generateClips(), await generateClips()];
    const first = await readClips(files, reader);
    expect(shown(await readClips(again.toReversed(), reader))).toEqual(shown(first));
    expect(new Set(first.clips.map(({ id }) => id)).size).toBe(500);
    const dates = first.clips.map(({ date }) => date.date ?? '9999');
    expect(dates).toEqual(dates.toSorted());
  });
});

describe('reading', () => {
  it('only looks at headers, tells how far it is, and stops when it’s aborted', async () => {
    let bytes = 0;
    const one = fileAt('2019-07-04.mp4', mp4Clip({ content: new Uint8Array(5_000_000) }));
    const blob = await one.open();
    const slice = blob.slice.bind(blob);
    blob.slice = (start = 0, end = blob.size, type) => {
      bytes += Math.min(end, blob.size) - start;
      return slice(start, end, type);
    };
    const steps: string[] = [];
    const many = Array.from(
      { length: 5 },
      (_, index): SourceFile => ({ ...one, originalPath: `${index}/2019-07-04.mp4` }),
    );
    await readClips(many, { ...reader, onProgress: (done, total) => steps.push(`${done}/${total}`) });
    expect(steps).toEqual(['1/5', '2/5', '3/5', '4/5', '5/5']);
    expect(bytes).toBeLessThan(5 * 20_000);
    const aborted = AbortSignal.abort(new Error('stopped'));
    await expect(readClips(many, { ...reader, signal: aborted })).rejects.toThrow('stopped');
  });

  it('leaves out what’s no video, and says what can’t be read', async () => {
    const locked = await sourcesOfZip(
      new File(
        [new Uint8Array(packedZip([{ name: 'locked.mp4', content: mp4Clip({}), method: 8, flags: 1 }]))],
        'locked.zip',
      ),
    );
    const result = await readClips(
      [
        ...['__MACOSX/._a.mp4', 'trip/._a.mp4', '.DS_Store', 'Thumbs.db'].map((path) => fileAt(path)),
        ...['IMG_1.HEIC', 'notes.txt', 'IMG_1.HEIC.json'].map((path) => fileAt(path, 'no video')),
        fileAt('fake.mp4', '%PDF-1.7 and no video at all'),
        fileAt('empty.mp4', ''),
        fileAt('trip/2019-07-04.mp4'),
        fileAt('trip/2019-07-04.mp4'),
        ...locked,
      ],
      reader,
    );
    expect(result.clips.map(({ file }) => file.path)).toEqual(['trip/2019-07-04.mp4']);
    expect(result.ignored).toEqual(
      expect.arrayContaining([
        { path: 'empty.mp4', reason: 'This file is empty.' },
        { path: 'trip/2019-07-04.mp4', reason: 'You chose this file twice.' },
        { path: 'locked.mp4', reason: PROBLEMS.encrypted },
      ]),
    );
    expect(result.ignored).toHaveLength(3);
  });

  it('finds the same clips in a ZIP after the user has moved to another time zone', async () => {
    const zones = ['America/New_York', 'Asia/Tokyo', 'America/New_York'];
    const ids: (string | undefined)[] = [];
    for (const zone of zones) {
      vi.stubEnv('TZ', zone);
      const { clips } = await readClips(await zipOf({ 'clip.mp4': mp4Clip({}) }), { zone, now: NOW });
      ids.push(clips[0]?.id);
    }
    vi.unstubAllEnvs();
    expect(new Set(ids)).toEqual(new Set([expect.stringMatching(/^[0-9a-f]{64}$/)]));
  });

  it('reads a compressed video’s header at its end, too', async () => {
    const content = mp4Clip({ creationDate: '2019-07-04T23:30:00+0900', content: new Uint8Array(3_000_000) });
    const { clips } = await readClips(await zipOf({ 'clip.mp4': content }), reader);
    expect(clips).toMatchObject([
      { date: { date: '2019-07-04', source: 'metadata', warning: null }, seconds: 2 },
    ]);
  });
});

describe('a clip from Google Takeout', () => {
  it('has its caption as its title, and finds its sidecar in another ZIP', async () => {
    const folder = 'Takeout/Google Photos/Photos from 2019';
    const sidecar = JSON.stringify({
      title: 'IMG_1.mp4',
      description: 'At the lighthouse\nWith Dad',
      photoTakenTime: { timestamp: String(Date.UTC(2019, 6, 4, 16) / 1000) },
      geoData: { latitude: 0, longitude: 0 },
    });
    const result = await readClips(
      [
        ...(await zipOf(
          { [`${folder}/IMG_1.mp4`]: mp4Clip({ createdAt: Date.UTC(2019, 6, 4, 16) }) },
          '1.zip',
        )),
        ...(await zipOf({ [`${folder}/IMG_1.mp4.supplemental-metadata.json`]: sidecar }, '2.zip')),
      ],
      reader,
    );
    expect(result).toMatchObject({ kind: 'takeout' });
    expect(result.clips).toMatchObject([
      {
        ...{ title: 'At the lighthouse', isTitleTelling: true, type: 'video/mp4', tags: [] },
        notes: [{ text: 'With Dad', createdAt: '2019-07-04T16:00:00.000Z' }],
        date: { date: '2019-07-04', source: 'sidecar', warning: null, startedAt: Date.UTC(2019, 6, 4, 16) },
      },
    ]);
  });
});

describe('a clip from Day One', () => {
  it('has its entry’s title, text, tags, and date; entries without videos are counted', async () => {
    const entry = {
      uuid: 'A',
      creationDate: '2021-07-04T20:00:00Z',
      timeZone: 'Asia/Tokyo',
      tags: ['Travel', 'travel', 'Sea'],
      text: '# The *long* way home\n\n![](dayone-moment:/video/V2)\n\nWe took the tram\\.\n\n![](dayone-moment://P1)',
      videos: [
        { identifier: 'V2', md5: 'bb', type: 'mov', orderInEntry: 1, duration: 3 },
        { identifier: 'V1', md5: 'aa', type: 'mp4', orderInEntry: 0 },
        { identifier: 'V3', md5: 'cc', type: 'mp4', orderInEntry: 2 },
      ],
    };
    const journal = {
      metadata: { version: '1.0' },
      entries: [entry, { uuid: 'B', creationDate: '2021-01-01T00:00:00Z' }],
    };
    const files = {
      'Journal.json': JSON.stringify(journal),
      'videos/aa.mp4': mp4Clip({}),
      'videos/bb.mov': mp4Clip({}),
    };
    const result = await readClips(await zipOf(files), reader);
    expect(result).toMatchObject({ kind: 'day_one', withoutVideo: 1 });
    expect(result.ignored).toEqual([
      { path: 'videos/cc.mp4', reason: expect.stringContaining('isn’t in the export') },
    ]);
    expect(
      result.clips.map(({ title, notes, tags, date }) => ({ title, notes, tags, date: date.date })),
    ).toEqual([
      {
        ...{ title: 'The long way home', tags: ['Travel', 'Sea'], date: '2021-07-05' },
        notes: [{ text: 'We took the tram.', createdAt: '2021-07-04T20:00:00.000Z' }],
      },
      { title: 'The long way home (2)', notes: [], tags: ['Travel', 'Sea'], date: '2021-07-05' },
    ]);
  });

  it('has its entry’s text, also if an earlier video isn’t in the export, and what the server takes', async () => {
    const entry = {
      uuid: 'A',
      creationDate: '9999-07-04T20:00:00Z',
      text: `${'x'.repeat(200)}\r\n\r\nWe took the tram.`,
      videos: [{ md5: 'gone' }, { md5: 'bb', type: 'mov' }],
    };
    const { clips } = await readClips(
      await zipOf({ 'Journal.json': JSON.stringify({ entries: [entry] }), 'videos/bb.mov': mp4Clip({}) }),
      reader,
    );
    expect(clips).toMatchObject([
      {
        title: `${'x'.repeat(195)}… (2)`,
        notes: [{ text: 'We took the tram.', createdAt: new Date(NOW).toISOString() }],
      },
    ]);
  });
});
