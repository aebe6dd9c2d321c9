import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { saveTranscription } from '@/lib/journal/transcripts/contract';
import { draftTranscript } from './draft';
import type { RecognizedPassage } from './types';

function passage(start: number, text: string, logProbability = -0.1): RecognizedPassage {
  const words = text
    .split(' ')
    .filter(Boolean)
    .map((word, index) => ({ word, start: start + index / 3, end: start + index / 3 + 0.25, confidence: 1 }));
  return { start, end: start + 10, voiced: 9, words, logProbability, tokens: 2 * words.length };
}

describe('the draft of a transcript', () => {
  it('has the words of all passages, and their mean log-probability', () => {
    const draft = draftTranscript([passage(0, 'We moved to Lisbon', -0.1), passage(20, 'Today', -0.6)]);
    expect(draft?.words.map(({ word }) => word)).toEqual(['We', 'moved', 'to', 'Lisbon', 'Today']);
    expect(draft?.words.at(-1)).toEqual({ word: 'Today', startTime: 20, endTime: 20.25 });
    expect(draft?.logProbability).toBeCloseTo(-0.2);
  });

  it('isn’t there if nothing was heard', () => {
    expect(draftTranscript([])).toBeNull();
    expect(draftTranscript([{ ...passage(0, ''), logProbability: -3, tokens: 1 }])).toBeNull();
  });

  it('isn’t there if it seems to be in another language', () => {
    expect(draftTranscript([passage(0, 'In house vied to the hind', -0.88)])).toBeNull();
  });

  it('isn’t less sure for passages without words', () => {
    const cough = { ...passage(40, ''), voiced: 0.4, logProbability: -3, tokens: 4 };
    expect(draftTranscript([passage(0, 'Hello again'), cough])?.logProbability).toBeCloseTo(-0.1);
  });

  it('never exceeds the recording', () => {
    const draft = draftTranscript([passage(9.9, 'the very last words')], 10.2);
    const { words } = draft ?? { words: [] };
    expect(words).toHaveLength(4);
    for (const { startTime, endTime } of words) {
      expect(startTime).toBeLessThanOrEqual(endTime);
      expect(endTime).toBeLessThanOrEqual(10.2);
    }
  });

  it('is what the API takes, whatever the aligner says', () => {
    const time = fc.double({ min: -1, max: 100, noNaN: true });
    const word = fc.record({ start: time, end: time });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), (times) => {
        const words = times.map((time, index) => ({ word: `word${index}`, confidence: 1, ...time }));
        const heard = { start: 0, end: 100, voiced: 50, words, logProbability: 0, tokens: words.length };
        const draft = draftTranscript([heard], 90);
        const body = {
          transcription: { words: draft?.words },
          draft: true,
          logProbability: draft?.logProbability,
        };
        expect(saveTranscription.body?.safeParse(body)).toMatchObject({ success: true });
      }),
    );
  });
});
