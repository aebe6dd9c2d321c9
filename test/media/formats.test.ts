import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isReadable } from '@/lib/video/media/codecs';
import { codecName } from '@/lib/video/shared/codec-names';
import { projectRoot } from '@/local/up/data-dir';
import { CORPUS } from './corpus/clips';

const document = readFileSync(join(projectRoot, 'docs/formats.md'), 'utf8');

/** Returns the rows of a section's table, and what it says that's read, too. */
function section(title: string): { rows: string[][]; others: string[] } {
  const text = document.split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = [...text.matchAll(/^\| (.+) \|$/gm)].slice(2).map(([, row = '']) => row.split(' | '));
  const others = /no test has one: ([^.]+(?:\.\d+[^.]*)*)\.\n/.exec(text)?.[1]?.split(/, /) ?? [];
  return { rows, others };
}

/** ffmpeg's names of what the corpus calls otherwise. */
const FFMPEG_NAMES: Record<string, string> = {
  mpeg1: 'mpeg1video',
  mpeg2: 'mpeg2video',
  xvid: 'mpeg4',
  msmpeg4: 'msmpeg4v3',
  dv: 'dvvideo',
  uncompressed: 'rawvideo',
  g722: 'adpcm_g722',
};

/** Returns what people call the codecs of the corpus. */
function named(kind: 'picture' | 'sound'): string[] {
  const codecs = CORPUS.flatMap((clip) => clip[kind] ?? []).map((key) => {
    const [codec = ''] = key.split('-');
    return FFMPEG_NAMES[codec] ?? codec;
  });
  return [...new Set(codecs.map((codec) => codecName(codec) ?? `${codec} has no name`))].sort();
}

/** AMR has a test of its own, since ffmpeg can't write it. */
const OWN_TESTS = ['AMR', 'AMR-WB'];

describe('docs/formats.md', () => {
  it('lists the containers of the corpus', () => {
    const endings = section('Containers').rows.flatMap(([, cell = '']) => cell.split(' '));
    const made = new Set(CORPUS.map(({ name }) => `.${name.split('.').at(-1)}`));
    expect(made.size).toBeGreaterThan(10);
    expect([...made].filter((ending) => !endings.includes(ending))).toEqual([]);
    // Each container has at least one ending with a clip.
    const untested = section('Containers').rows.filter(
      ([, cell = '']) => !cell.split(' ').some((one) => made.has(one)),
    );
    expect(untested).toEqual([]);
  });

  it('lists the pictures and the sounds of the corpus, and no others', () => {
    expect(
      section('Pictures')
        .rows.map(([name]) => name)
        .sort(),
    ).toEqual(named('picture'));
    const sounds = section('Sounds').rows.map(([name = '']) => name);
    expect(sounds.filter((name) => !OWN_TESTS.includes(name)).sort()).toEqual(named('sound'));
  });

  it('names what’s read without a test', () => {
    const ids = {
      video: { 'Apple Intermediate Codec': 'aic', Indeo: 'indeo5', 'VC-1': 'vc1', VP6: 'vp6' },
      audio: { 'G.726': 'adpcm_g726', MACE: 'mace3', MLP: 'mlp', 'QDesign Music': 'qdm2' },
    };
    expect(section('Pictures').others).toEqual(Object.keys(ids.video));
    expect(section('Sounds').others).toEqual(Object.keys(ids.audio));
    for (const [kind, names] of Object.entries(ids)) {
      for (const [name, id] of Object.entries(names)) {
        expect(codecName(id)).toBe(name);
        expect(isReadable(kind as keyof typeof ids, id)).toBe(true);
      }
    }
  });
});
