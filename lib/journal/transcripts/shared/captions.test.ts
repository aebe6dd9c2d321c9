import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runAtOnce } from '@/lib/foundation/shared/steps';
import type { Word } from '@/lib/journal/transcripts/contract';
import { buildCues, plainText, subRip, webVtt } from './captions';

const word = (text: string, start_time: number, end_time = start_time + 0.4): Word => ({
  word: text,
  start_time,
  end_time,
});

const transcript = fc
  .array(
    fc.record({
      text: fc.constantFrom('I', 'called', 'Dad.', 'this', 'morning,', 'extraordinarily', 'so?'),
      pause: fc.integer({ min: 0, max: 3000 }),
      length: fc.integer({ min: 0, max: 900 }),
    }),
    { maxLength: 200 },
  )
  .map((parts) => {
    let at = 0;
    return parts.map(({ text, pause, length }) => {
      const start = at + pause;
      at = start + length;
      return word(text, start / 1000, at / 1000);
    });
  });

describe('captions', () => {
  it('hold every word once and in order, in cues that follow each other', () => {
    fc.assert(
      fc.property(transcript, (words) => {
        const made = runAtOnce(buildCues(words));
        expect(made.map((cue) => cue.text).join(' ')).toBe(words.map((one) => one.word).join(' '));
        for (const [index, cue] of made.entries()) {
          expect(cue.end).toBeGreaterThan(cue.start);
          expect(cue.text.length).toBeLessThanOrEqual(84);
          const next = made[index + 1];
          if (next && next.start > cue.start) expect(cue.end).toBeLessThanOrEqual(next.start);
        }
      }),
    );
  });

  it('are WebVTT in which no word is markup', () => {
    const words = [word('Tom', 0), word('&', 0.5), word('<b>Ann</b>', 1), word('-->', 1.5, 3661.25)];
    expect(runAtOnce(webVtt(words))).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:01.400\nTom &amp; &lt;b&gt;Ann&lt;/b&gt;\n\n' +
        '00:00:01.500 --> 01:01:01.250\n--&gt;\n',
    );
    expect(runAtOnce(webVtt([]))).toBe('WEBVTT\n');
  });

  it('are SubRip with numbers and commas', () => {
    expect(runAtOnce(subRip([word('Hello', 0.25, 1.5), word('again', 9)]))).toBe(
      '1\n00:00:00,250 --> 00:00:01,500\nHello\n\n2\n00:00:09,000 --> 00:00:10,000\nagain\n',
    );
  });
});

it('gives plain text in paragraphs', () => {
  expect(runAtOnce(plainText([word('Hello', 0), word('there.', 0.5), word('Later', 9)]))).toBe(
    'Hello there.\n\nLater\n',
  );
  expect(runAtOnce(plainText([]))).toBe('');
});
