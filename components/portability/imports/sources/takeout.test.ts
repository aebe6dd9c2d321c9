import { describe, expect, it } from 'vitest';
import { type SourceFile, sourceOfFile } from './source-file';
import { indexSidecars, readSidecar } from './takeout';

const NOW = Date.UTC(2026, 2, 1);
const TAKEN = Date.UTC(2019, 6, 4, 16);
const fileAt = (path: string, content = ''): SourceFile =>
  sourceOfFile(new File([content], path.slice(path.lastIndexOf('/') + 1)), path);
const json = (values: object) =>
  JSON.stringify({ photoTakenTime: { timestamp: String(TAKEN / 1000) }, ...values });

/** Reads the sidecar of a video among sidecars whose descriptions are their names. @returns that name; null if none */
async function match(video: string, sidecars: readonly string[], title?: string): Promise<string | null> {
  const files = sidecars.map((path) => fileAt(path, json({ description: path, title })));
  return (await readSidecar(indexSidecars(files), fileAt(video), NOW))?.description ?? null;
}

describe('a sidecar', () => {
  it.each([
    ['IMG_1.mp4', 'IMG_1.mp4.json'],
    ['IMG_1.mp4', 'IMG_1.mp4.supplemental-metadata.json'],
    ['IMG_1.mp4', 'IMG_1.mp4.s.json'],
    ['IMG_1.mp4', 'IMG_1.mp4.suppl.json'],
    ['IMG_1(2).mp4', 'IMG_1.mp4(2).json'],
    ['IMG_1(2).mp4', 'IMG_1.mp4.supplemental-metadata(2).json'],
    ['IMG_1(2).mp4', 'IMG_1.mp4.supplemental-meta(2).json'],
    // The person's own name has a number.
    ['IMG_1(2).mp4', 'IMG_1(2).mp4.supplemental-metadata.json'],
    ['img(18).mp4', 'img(18).mp4.supple(18).json'],
    ['IMG_1-edited.mp4', 'IMG_1.mp4.json'],
    ['IMG_1-bearbeitet.mp4', 'IMG_1.mp4.supplemental-metadata.json'],
    ['IMG_1-edited(1).mp4', 'IMG_1.mp4(1).json'],
    // Live photos and motion photos.
    ['IMG_1.MP4', 'IMG_1.HEIC.json'],
    ['IMG_1.MOV', 'IMG_1.HEIC.supplemental-metadata.json'],
    ['IMG_1(1).MOV', 'IMG_1.JPG(1).json'],
    ['PXL_20231118_035751175.MP', 'PXL_20231118_035751175.MP.jpg.supplemental-meta.json'],
    // Cut off, in the middle of what was added and of the name itself.
    [
      'Screenshot_20220207_102421_com.snapchat.android.mp4',
      'Screenshot_20220207_102421_com.snapchat.androi.json',
    ],
    [
      'original_1d4caa6f-16c6-4c3d-901b-9387de10e528_P.mp4',
      'original_1d4caa6f-16c6-4c3d-901b-9387de10e528_.json',
    ],
    [
      'Backyard_ceremony_wedding_photography_xxxxxxx_m(494).mp4',
      'Backyard_ceremony_wedding_photography_xxxxxxx_(494).json',
    ],
    [
      '13039_327707840323_537645323_9470255_27214_n(1).mp4',
      '13039_327707840323_537645323_9470255_27214_n.m(1).json',
    ],
  ])('of %s is found: %s', async (video, sidecar) => {
    expect(await match(video, [sidecar])).toBe(sidecar);
  });

  it.each([
    ['IMG_1.mp4', 'IMG_2.mp4.json'],
    ['IMG_1.mp4', 'IMG_1.mp4(1).json'],
    ['IMG_1(1).mp4', 'IMG_1.mp4.json'],
    ['IMG_1(1).mp4', 'IMG_1.mp4(2).json'],
    ['IMG_1.mp4', 'IMG_1.mp4.supper.json'],
    ['IMG_1.mp4', 'IMG_.json'],
    ['IMG_12.mp4', 'IMG_1.mp4.json'],
    ['one/IMG_1.mp4', 'two/IMG_1.mp4.json'],
  ])('of %s isn’t %s', async (video, sidecar) => {
    expect(await match(video, [sidecar])).toBeNull();
  });

  it('is a video’s own, if the photo that was taken with it has one, too', async () => {
    const sidecars = ['IMG_1.HEIC.json', 'IMG_1.MOV.json', 'IMG_1.MOV(1).json'];
    expect(await match('IMG_1.MOV', sidecars)).toBe('IMG_1.MOV.json');
    expect(await match('IMG_1(1).MOV', sidecars)).toBe('IMG_1.MOV(1).json');
  });

  it('may be in another part of the export that was unpacked into another folder', async () => {
    const folder = 'Takeout/Google Photos/Photos from 2019';
    const sidecar = `takeout-002/${folder}/IMG_1.mp4.json`;
    expect(await match(`takeout-001/${folder}/IMG_1.mp4`, [sidecar])).toBe(sidecar);
  });

  it('is the one in the video’s own export, if there are two exports', async () => {
    const folders = ['hers', 'his'].map((name) => `${name}/Takeout/Google Photos/Photos from 2019`);
    const sidecars = folders.map((folder) => `${folder}/IMG_1.mp4.json`);
    for (const [index, folder] of folders.entries()) {
      expect(await match(`${folder}/IMG_1.mp4`, sidecars)).toBe(sidecars[index]);
    }
  });

  it('isn’t another video’s whose name is the same up to where it’s cut off', async () => {
    const sidecar = 'original_1d4caa6f-16c6-4c3d-901b-9387de10e528_.json';
    const name = (letter: string) => `original_1d4caa6f-16c6-4c3d-901b-9387de10e528_${letter}.mp4`;
    expect(await match(name('P'), [sidecar], name('P'))).toBe(sidecar);
    expect(await match(name('Q'), [sidecar], name('P'))).toBeNull();
  });
});

describe('what a sidecar says', () => {
  const read = (content: string) =>
    readSidecar(indexSidecars([fileAt('a.mp4.json', content)]), fileAt('a.mp4'), NOW);

  it('is the time, the caption, and the place', async () => {
    const nowhere = { latitude: 0, longitude: 0 };
    const somewhere = { latitude: 52.5, longitude: 13.4 };
    expect(await read(json({ description: ' Hi ', geoData: nowhere, geoDataExif: somewhere }))).toEqual({
      ...{ takenAt: TAKEN, description: 'Hi', location: somewhere },
    });
    const beyond = [
      { latitude: 91, longitude: 0 },
      { latitude: 1, longitude: 1e300 },
    ];
    for (const geoData of beyond) expect(await read(json({ geoData }))).toMatchObject({ location: null });
    expect(await read(json({ geoData: nowhere }))).toEqual({
      takenAt: TAKEN,
      description: '',
      location: null,
    });
  });

  it.each([
    ['0', null],
    [String(Date.UTC(2030, 0, 1) / 1000), null],
    ['-2082844800', null],
    ['soon', null],
    ['-157766400', Date.UTC(1965, 0, 1)],
  ])('has no time that can’t be: %s', async (timestamp, takenAt) => {
    expect(await read(json({ photoTakenTime: { timestamp } }))).toMatchObject({ takenAt });
  });

  it.each([
    '',
    '{',
    '[]',
    'null',
    '1',
    '{"title":"Album"}',
    '{"photoTakenTime":null}',
    '{"photoTakenTime":1}',
    json({ description: 'x'.repeat(1_000_000) }),
  ])('is nothing in another file (%#)', async (content) => {
    expect(await read(content)).toBeNull();
  });
});
