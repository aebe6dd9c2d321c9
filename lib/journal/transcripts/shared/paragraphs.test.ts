import { describe, expect, it } from 'vitest';
import type { Word } from '@/lib/journal/transcripts/contract';
import { paragraphs } from './paragraphs';

/** Returns words of 0.3 s, one every 0.4 s. */
function speech(texts: string[], from = 0): Word[] {
  return texts.map((word, index) => ({
    word,
    start_time: from + index * 0.4,
    end_time: from + index * 0.4 + 0.3,
  }));
}

describe('paragraphs', () => {
  it('gives none for no words', () => {
    expect(paragraphs([])).toEqual([]);
  });

  it('begins a new one after a pause of more than 1.2 seconds', () => {
    const first = speech(['I', 'called', 'Dad']);
    const short = speech(['this', 'morning'], 2.2);
    const long = speech(['It', 'rang'], 2.9 + 1.3);
    const found = paragraphs([...first, ...short, ...long]);
    expect(found.map((paragraph) => [paragraph.first, paragraph.words.length])).toEqual([
      [0, 5],
      [5, 2],
    ]);
    expect(found[1]?.start).toBeCloseTo(4.2);
  });

  it('cuts a long one at the end of a sentence', () => {
    const words = speech(Array.from({ length: 100 }, (_, index) => (index % 20 === 9 ? 'end.' : 'word')));
    expect(paragraphs(words).map((paragraph) => paragraph.words.length)).toEqual([70, 30]);
  });

  it('cuts at 120 words where there is no punctuation', () => {
    expect(paragraphs(speech(Array(300).fill('word'))).map((paragraph) => paragraph.words.length)).toEqual([
      120, 120, 60,
    ]);
  });

  it('keeps every word once and in order', () => {
    const words = [...speech(Array(130).fill('a')), ...speech(Array(70).fill('b.'), 90)];
    const found = paragraphs(words);
    expect(found.flatMap((paragraph) => paragraph.words)).toEqual(words);
    for (const paragraph of found) expect(words[paragraph.first]).toBe(paragraph.words[0]);
  });
});
