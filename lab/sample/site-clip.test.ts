import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clipFile, readClips } from '@/local/demo/clips';
import { config } from '@/middleware';
import { inspectMedia } from '@/test/media/inspect';
import { CLIPS, clipOf, SITE_CLIP } from './clips';

const FOLDER = join(import.meta.dirname, '../../public/sample');
const file = (name: string) => join(FOLDER, name);
const DETAILS = join(import.meta.dirname, '../../components/journal/sample/sample.json');

/** What's said, without marks, as the lists of recordings have it. */
const spoken = (text: string) =>
  text
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[^a-z']+/g, ' ')
    .trim();

interface Sample {
  title: string;
  duration: number;
  words: { word: string; startTime: number; endTime: number }[];
}

const readSample = async (): Promise<Sample> => JSON.parse(await readFile(DETAILS, 'utf8'));

describe('the entry that the site shows', () => {
  it('is a small video that browsers play, with sound', async () => {
    const { streams, format } = await inspectMedia(file('entry.mp4'));
    expect(streams.map(({ codec_name }) => codec_name).sort()).toEqual(['aac', 'h264']);
    expect(Number(format.duration)).toBeCloseTo((await readSample()).duration, 0);
    expect((await stat(file('entry.mp4'))).size).toBeLessThan(600_000);
    expect((await stat(file('poster.jpg'))).size).toBeLessThan(60_000);
    const poster = await inspectMedia(file('poster.jpg'));
    expect(poster.streams[0]).toMatchObject({ codec_name: 'mjpeg', width: 960, height: 540 });
  });

  it('says its words, in order and within its length', async () => {
    const { words, duration, title } = await readSample();
    const clip = clipOf(SITE_CLIP);
    expect(title).toBe(clip.titles[0]);
    expect(words.map(({ word }) => word).join(' ')).toBe(clip.voice.map(({ text }) => text).join(' '));
    const times = words.flatMap(({ startTime, endTime }) => [startTime, endTime]);
    expect(times).toEqual([...times].sort((one, other) => one - other));
    expect(times[0]).toBeGreaterThan(0);
    expect(times.at(-1)).toBeLessThan(duration);
    expect(words.every(({ startTime, endTime }) => endTime > startTime)).toBe(true);
  });

  it('is for visitors, too: nothing redirects them', () => {
    const pages = new RegExp(`^${config.matcher[0]}$`);
    expect(['entry.mp4', 'poster.jpg'].filter((name) => pages.test(`/sample/${name}`))).toEqual([]);
    expect(pages.test('/samples')).toBe(true);
  });
});

describe('sample clips', () => {
  it('say what their recordings say', async () => {
    const known = new Map<string, string>();
    for (const [folder, list] of [
      ['lab/speech/clips', 'lab/speech/clips.json'],
      ['test/media/librivox', 'test/media/librivox/transcription.json'],
    ] as const) {
      const recordings = JSON.parse(await readFile(list, 'utf8')) as {
        name?: string;
        file?: string;
        text?: string;
      }[];
      for (const one of recordings)
        known.set(`${folder}/${one.file ?? `${one.name}.ogg`}`, spoken(one.text ?? ''));
    }
    const parts = CLIPS.flatMap(({ voice }) => voice);
    expect(parts.length).toBeGreaterThanOrEqual(CLIPS.length);
    for (const part of parts) {
      const text = spoken(part.text);
      if (part.from === undefined) expect(text).toBe(known.get(part.file));
      else expect(known.get(part.file)).toContain(text);
    }
  });

  it('are all in the public domain', async () => {
    const recordings = JSON.parse(await readFile('lab/speech/clips.json', 'utf8')) as {
      name: string;
      license: string;
    }[];
    const files = CLIPS.flatMap(({ voice }) => voice.map(({ file }) => file));
    const licenses = files.flatMap((path) => {
      const name = /^lab\/speech\/clips\/(.*)\.ogg$/.exec(path)?.[1];
      return name ? [recordings.find((one) => one.name === name)?.license] : [];
    });
    expect(licenses.length).toBeGreaterThan(0);
    expect(licenses.filter((license) => !license?.startsWith('public domain'))).toEqual([]);
  });

  it('are committed as they’re listed, and small', async () => {
    const made = await readClips();
    expect(
      made.map(({ words, ...clip }) => ({ ...clip, text: words.map(([word]) => word).join(' ') })),
    ).toEqual(
      CLIPS.map(({ scene, voice, ...clip }) => ({ ...clip, text: voice.map(({ text }) => text).join(' ') })),
    );
    const sizes = await Promise.all(made.map(async ({ id }) => (await stat(clipFile(id))).size));
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(3_000_000);
  });

  it('have a time for each word', async () => {
    const made = await readClips();
    expect(made).toHaveLength(CLIPS.length);
    for (const { id, words } of made) {
      expect(words, id).not.toEqual([]);
      for (const [index, [, start, end]] of words.entries()) {
        expect(end).toBeGreaterThan(start);
        expect(start).toBeGreaterThanOrEqual(words[index - 1]?.[2] ?? 0);
      }
    }
  });
});
