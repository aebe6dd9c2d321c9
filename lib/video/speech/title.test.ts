import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { suggestTitle } from './title';

const said = (text: string) =>
  text
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => ({ word }));

const bare = (text: string) => [...text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)].map(String);

describe('suggestTitle', () => {
  it.each([
    [
      'the topic that the speaker names',
      'Um, so yeah, today I, um, I wanted to talk about moving to Lisbon. It’s been on my mind for weeks.',
      'Moving to Lisbon',
    ],
    [
      'what is happening, without the subject',
      'Okay so today we’re finally moving to Lisbon. The boxes are everywhere.',
      'Finally moving to Lisbon',
    ],
    [
      'the news after a greeting and the date',
      'Hi everyone. It’s Monday, November 23rd. I got the job! They called me this morning.',
      'I got the job',
    ],
    [
      'the first telling sentence after a sound check',
      'Hello. Testing, testing. Can you hear me? Okay. So Emma took her first steps today! She let go of the couch.',
      'Emma took her first steps today',
    ],
    [
      'what was made on a day when nothing happened',
      'I don’t really know what to say today. Nothing much happened. I made soup.',
      'I made soup',
    ],
    [
      'a topic up to the end of its clause',
      'You know, I’ve been thinking a lot about what my therapist said last week, about boundaries.',
      'What my therapist said last week',
    ],
    [
      'the words after a false start',
      'We’re, um, we are getting a dog. A dog! I’ve wanted one since I was six.',
      'Getting a dog',
    ],
    [
      'a clause of a sentence that is too long',
      'It’s been a really long week and I’m tired. We had the big release on Thursday and everything broke and nobody knew who had changed what.',
      'We had the big release on Thursday and everything broke',
    ],
    [
      'text without punctuation',
      'so yeah today i moved to lisbon and it was raining and i didn’t have the keys',
      'I moved to lisbon and it was raining',
    ],
    ['straight apostrophes', "Okay, I'm starting my chemo on Friday.", 'Starting my chemo on Friday'],
  ])('suggests %s', (_, text, title) => {
    expect(suggestTitle(said(text))).toBe(title);
  });

  it.each([
    '',
    'Um.',
    'Hello.',
    'Okay, bye.',
    'So, um, yeah, I don’t know.',
    'Testing, testing, one two three.',
  ])('suggests nothing for %j', (text) => {
    expect(suggestTitle(said(text))).toBeNull();
  });

  it('stays within 60 characters, in words that were said, without marks at the end', () => {
    const word = fc.oneof(
      fc.constantFrom(
        'um,',
        'so',
        'Okay,',
        'i',
        'I’m',
        'about',
        'talk',
        'the',
        'and',
        'Lisbon.',
        'moving',
        '—',
      ),
      fc.constantFrom(
        'soup!',
        'wedding',
        '“Home',
        'Alone”',
        '5,000',
        '$20',
        'don’t',
        'because',
        'to',
        '…',
        '-',
      ),
      fc.string({ maxLength: 80 }),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 80 }), (words) => {
        const title = suggestTitle(words.map((word) => ({ word })));
        if (title === null) return;
        expect(title.length).toBeLessThanOrEqual(60);
        expect(title).toBe(title.trim());
        expect(title).toMatch(/[\p{L}\p{N}%°]$/u);
        const heard = bare(words.join(' '));
        let at = 0;
        for (const part of bare(title)) at = heard.indexOf(part, at) + 1 || Number.NaN;
        expect(at).not.toBeNaN();
      }),
    );
  });

  it('looks at no more than the start of hours of speech, even without punctuation', () => {
    const openers = Array.from({ length: 50_000 }, () => 'okay so').join(' ');
    expect(suggestTitle(said(openers))).toBeNull();
    const topic = Array.from({ length: 100_000 }, (_, n) => `garden${n}`).join(' ');
    expect(suggestTitle(said(`I wanted to talk about ${topic}`))).toMatch(/^Garden0 garden1 /);
  });

  it('doesn’t depend on fillers', () => {
    const text = 'We drove to the lake with my brother. The water was freezing.';
    const plain = suggestTitle(said(text));
    expect(plain).toBe('We drove to the lake with my brother');
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 13, maxLength: 13 }), (before) => {
        const words = said(text).flatMap((word, index) => (before[index] ? [{ word: 'uh,' }, word] : [word]));
        expect(suggestTitle(words)).toBe(plain);
      }),
    );
  });
});
