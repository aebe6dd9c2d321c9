import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runAtOnce } from '@/lib/foundation/shared/steps';
import { saveTranscription } from '@/lib/journal/transcripts/contract';
import { checkImport } from '@/lib/portability/imports/archive/contract';
import { parseInSteps } from './parse-in-steps';

const noMessage = () => undefined;
const parse = (schema: z.ZodType, value: unknown) => runAtOnce(parseInSteps(schema, value, noMessage));

const words = (count: number, change: (index: number) => object = () => ({})) =>
  Array.from({ length: count }, (_, index) => ({
    word: ` word ${index} `,
    startTime: index / 10,
    endTime: index / 10,
    ...change(index),
  }));
const body = (list: unknown) => ({ transcription: { words: list }, revision: null });

describe('parsing in steps', () => {
  it('gives what parsing at once gives, however long lists are and wherever they stand', () => {
    const schema = z.object({
      all: z.array(z.string().trim()).max(400),
      some: z
        .array(z.object({ ids: z.array(z.int()).nullable(), name: z.string().optional() }))
        .optional()
        .refine((list) => list?.length !== 3),
      other: z.coerce.number().nullable(),
    });
    const list = <T>(of: fc.Arbitrary<T>) => fc.array(of, { maxLength: 450, size: 'max' });
    const input = fc.record(
      {
        all: list(fc.constantFrom(' a', 'b ', 'c')),
        some: fc.array(fc.record({ ids: fc.option(list(fc.nat())), name: fc.string(), extra: fc.nat() }), {
          maxLength: 4,
        }),
        other: fc.constantFrom(null, '1', 2, 'x', undefined),
      },
      { requiredKeys: ['other'] },
    );
    fc.assert(
      fc.property(input, (value) => {
        const whole = schema.safeParse(value);
        const parsed = parse(schema, value);
        if (whole.success) expect(parsed).toEqual({ data: whole.data });
        else expect(parsed).toHaveProperty('issues', whole.error.issues);
      }),
      { numRuns: 200 },
    );
  });

  it('says what’s wrong with the first element that isn’t valid, and where it is', () => {
    const parsed = parse(saveTranscription.body, body(words(5000, (n) => (n < 4200 ? {} : { word: '' }))));
    if (!('issues' in parsed)) throw new Error('The words were taken.');
    expect(parsed.issues[0]).toMatchObject({
      path: ['transcription', 'words', 4200, 'word'],
      message: 'Every word needs text.',
    });
    // One for each word would be more work than the words are.
    expect(parsed.issues.length).toBeLessThanOrEqual(100);
  });

  it('checks what holds for a list as a whole', () => {
    const late = body(words(1000, (n) => (n === 500 ? { startTime: 0, endTime: 9 } : {})));
    expect(parse(saveTranscription.body, late)).toMatchObject({
      issues: [{ message: 'The words aren’t in time order.' }],
    });
    expect(parse(saveTranscription.body, body(words(100_001)))).toMatchObject({
      issues: [{ message: 'Send at most 100,000 words.' }],
    });
    for (const wrong of [null, {}, 'x', [0], undefined]) {
      expect(parse(saveTranscription.body, body(wrong))).toHaveProperty('issues');
    }
  });

  it('stops between parts of the longest lists, nested ones too', () => {
    const countSteps = (schema: z.ZodType, value: unknown) => {
      const steps = parseInSteps(schema, value, noMessage);
      let count = 1;
      while (!steps.next().done) count += 1;
      return count;
    };
    expect(countSteps(saveTranscription.body, body(words(100_000)))).toBeGreaterThan(999);
    const optional = z.object({ list: z.array(z.int()).nullable().optional() });
    expect(countSteps(optional, { list: Array(100_000).fill(1) })).toBeGreaterThan(50);
    const videos = Array.from({ length: 5 }, () => ({
      sha256: 'a'.repeat(64),
      twins: Array.from({ length: 1000 }, (_, n) => ({ id: `${n}`, date: '2026-03-01' })),
    }));
    expect(countSteps(checkImport.body, { videos })).toBeGreaterThan(50);
  });
});
