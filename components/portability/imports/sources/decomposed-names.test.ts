import { describe, expect, it } from 'vitest';
import { mp4Clip } from '@/test/media/small-clips';
import { packedZip } from '@/test/packed-zip';
import { readClips } from './read-clips';
import { type SourceFile, sourceOfFile, sourcesOfZip } from './source-file';

const reader = { zone: 'America/New_York', now: Date.UTC(2026, 2, 1, 17) };
/** As the members of generated ZIPs have it. */
const CHANGED = new Date(2024, 4, 1, 12).getTime();
const TAKEN = String(Date.UTC(2019, 6, 4, 16) / 1000);
const sidecar = (title: string) =>
  JSON.stringify({ title, description: 'At the lighthouse', photoTakenTime: { timestamp: TAKEN } });

type Form = 'NFC' | 'NFD';
type Content = Record<string, Buffer | string>;

/** Returns files whose paths are in a form, as they are on a disk. */
const filesOf = (files: Content, form: Form, lastModified = CHANGED): SourceFile[] =>
  Object.entries(files).map(([path, content]) => {
    const name = path.slice(path.lastIndexOf('/') + 1).normalize(form);
    const file = new File([new Uint8Array(Buffer.from(content))], name, { lastModified });
    return sourceOfFile(file, path.normalize(form));
  });

/** Returns the members of a ZIP whose paths are in a form. */
const membersOf = (files: Content, form: Form): Promise<SourceFile[]> => {
  const members = Object.entries(files).map(([path, content]) => ({
    ...{ name: path.normalize(form), content: Buffer.from(content), method: 8, flags: 1 << 11 },
  }));
  return sourcesOfZip(new File([new Uint8Array(packedZip(members))], 'takeout.zip'));
};

/** Reads files in both forms, alone and in a ZIP. @returns what's known of their clips, which is the same */
async function readForms(files: Content) {
  const found: object[] = [];
  for (const form of ['NFC', 'NFD'] as const) {
    for (const listed of [filesOf(files, form), await membersOf(files, form)]) {
      const { clips, kind } = await readClips(listed, reader);
      found.push(
        clips.map(({ title, date, file, tags, isLivePhoto }) => ({
          ...{ kind, title, date: date.date, source: date.source, path: file.path, tags, isLivePhoto },
        })),
      );
    }
  }
  for (const other of found) expect(other).toEqual(found[0]);
  return found[0];
}

const takeout = 'Takeout/Google Photos/Été à Köln';
const LONG = 'Été à la plage avec Zoé, Chloé et Noé près de Saint-Malo.mp4';

describe('names whose letters are apart from their accents', () => {
  it.each([
    ['Été.mp4', 'Été.mp4.json'],
    ['Été(2).mp4', 'Été.mp4(2).json'],
    ['Été.mp4', 'Été.mp4.supplemental-metadata.json'],
    ['Été-modifié.mp4', 'Été.mp4.json'],
    ['Été.MOV', 'Été.HEIC.supplemental-me.json'],
    // Cut off after 46 composed characters, and after 46 of those that a Mac has.
    [LONG, `${LONG.slice(0, 46)}.json`],
    [LONG, `${LONG.normalize('NFD').slice(0, 46)}.json`],
  ])('find their sidecar in Takeout: %s, %s', async (video, json) => {
    const found = await readForms({
      [`${takeout}/${video}`]: mp4Clip({}),
      [`${takeout}/${json}`]: sidecar(video),
    });
    expect(found).toMatchObject([
      { kind: 'takeout', title: 'At the lighthouse', date: '2019-07-04', source: 'sidecar' },
    ]);
  });

  it('find a sidecar whose title, or whose folder alone, has the other form', async () => {
    const [video, json] = [`${takeout}/${LONG}`, `${takeout}/${LONG.slice(0, 46)}.json`];
    const files = [
      ...filesOf({ [video]: mp4Clip({}) }, 'NFC'),
      ...filesOf({ [json]: sidecar(LONG.normalize('NFD')) }, 'NFD'),
    ];
    expect((await readClips(files, reader)).clips).toMatchObject([{ title: 'At the lighthouse' }]);
  });

  it('find their entry in Day One, and their photo', async () => {
    const entry = {
      ...{ uuid: 'A', creationDate: '2021-07-04T16:00:00Z', timeZone: 'America/New_York', text: 'The tram' },
      ...{
        tags: ['Café', 'café'.normalize('NFD')],
        videos: [{ identifier: 'Fête'.normalize('NFD'), type: 'mp4' }],
      },
    };
    const journal = {
      'Été/Journal.json': JSON.stringify({ entries: [entry] }),
      'Été/videos/Fête.mp4': mp4Clip({}),
    };
    expect(await readForms(journal)).toMatchObject([
      { kind: 'day_one', title: 'The tram', date: '2021-07-04', tags: ['Café'] },
    ]);
    expect(await readForms({ 'Été.MOV': mp4Clip({}), 'Été.HEIC': 'a photo' })).toMatchObject([
      { isLivePhoto: true },
    ]);
  });

  it('have the same date and title', async () => {
    expect(await readForms({ '2019-07-04 Fête à Köln.mp4': mp4Clip({}) })).toMatchObject([
      { title: 'Fête à Köln', date: '2019-07-04', source: 'name' },
    ]);
  });
});

it('keeps the ids that clips had in either form', async () => {
  const ids = async (form: Form) => {
    const files = filesOf({ 'Été/Fête.mp4': mp4Clip({}) }, form, Date.UTC(2018, 4, 5, 12));
    return (await readClips(files, reader)).clips.map(({ id }) => id);
  };
  expect([await ids('NFC'), await ids('NFD')]).toEqual([
    ['5e80eeabf8e455a9bf62d19b2bac418995fde1076655eb0ae40f1652619740f7'],
    ['2d7bfaad8a85462bde13719dd495e27f3fe40b35cb358bff310214bb41b5e21e'],
  ]);
});
