import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { addPasskey } from '@/lib/account/passkeys/contract';
import { AppError } from '@/lib/foundation/contract/errors';
import { listEntries, updateEntry } from '@/lib/journal/entries/contract';
import { hideMemory } from '@/lib/journal/memories/contract';
import { postNote } from '@/lib/journal/notes/contract';
import { openUpload } from '@/lib/video/uploads/contract';
import { parseInput } from './validation';

function refusal(schema: z.ZodType, value: unknown): AppError {
  try {
    parseInput(schema, value);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('The value was taken.');
}

const fields = (schema: z.ZodType, value: unknown) => refusal(schema, value).fields;

describe('a refused input', () => {
  it.each<[unknown, z.ZodType, string]>([
    ['many', z.coerce.number(), 'Enter a number.'],
    ['1', z.number(), 'Enter a number.'],
    [1.5, z.int(), 'Enter a whole number.'],
    [7, z.string(), 'Enter text.'],
    [undefined, z.number(), 'This is required.'],
    ['', z.string().min(1), 'This is required.'],
    ['aaaa', z.string().max(3), 'Use at most 3 characters.'],
    ['a', z.string().min(3), 'Use at least 3 characters.'],
    [501, z.number().max(500), 'Enter 500 or less.'],
    [0, z.number().min(1), 'Enter 1 or more.'],
    [[1, 2], z.array(z.number()).max(1), 'Send at most 1 item.'],
    ['c', z.enum(['a', 'b']), 'Choose one of: a, b.'],
    ['x', z.literal('y'), 'This value isn’t valid.'],
    ['x', z.email(), 'Enter a valid email address.'],
    ['x', z.string().regex(/y/), 'This isn’t in the right format.'],
    ['x', z.union([z.number(), z.boolean()]), 'This value isn’t valid.'],
  ])('says of %j what to do about it', (value, schema, sentence) => {
    const { message, fields } = refusal(z.object({ field: schema }), { field: value });
    expect([message, fields]).toEqual([sentence, { field: sentence }]);
  });

  it('keeps the sentence that its schema has', () => {
    expect(fields(updateEntry.body, { title: ' ' })).toEqual({ title: 'Must have a title.' });
    expect(fields(updateEntry.body, {})).toEqual({ title: 'Enter a title or a date.' });
  });

  it('names the bad field among several ways to ask', () => {
    expect(fields(hideMemory.body, { date: '2026-02-30' })).toEqual({
      date: 'Invalid date. Must be in MM/DD/YYYY format.',
    });
    expect(fields(hideMemory.body, { entryId: 'none' })).toEqual({ entryId: 'This ID isn’t valid.' });
    const neither = { body: 'Choose an entry, a tag, or a date to hide.' };
    expect(fields(hideMemory.body, {})).toEqual(neither);
    expect(fields(hideMemory.body, { entryId: crypto.randomUUID(), date: '2026-02-28' })).toEqual(neither);
  });

  it('is the body where that is no object', () => {
    for (const body of [null, [], 'text', 7]) {
      expect(fields(postNote.body, body)).toEqual({
        body: 'We couldn’t read that request. Reload the page and try again.',
      });
    }
  });
});

describe('the contracts refuse what headers and the database would', () => {
  it.each(['video/mp4\0', 'video/mp4; é', 'video/mp4\r\nx: y', 'video/mp4\u007f', 'vidéo/mp4'])(
    'the media type %j',
    (content_type) => {
      const upload = { client_id: crypto.randomUUID(), file_name: 'a.mp4' };
      expect(fields(openUpload.body, { ...upload, content_type })).toHaveProperty('content_type');
      parseInput(openUpload.body, { ...upload, content_type: 'Video/WebM;codecs="vp9, opus"' });
    },
  );

  it.each(['\0', 'é', 'a b', ''])('the transport %j of a passkey', (transport) => {
    const response = { clientDataJSON: 'AA', attestationObject: 'AA', transports: ['smart-card', transport] };
    const credential = { id: 'AA', rawId: 'AA', type: 'public-key', response };
    expect(fields(addPasskey.body, { name: 'A key', credential })).toEqual({
      credential: 'This isn’t in the right format.',
    });
  });

  it('a page of more than 500 entries', () => {
    expect(fields(listEntries.query, { limit: '501' })).toEqual({ limit: 'Enter 500 or less.' });
  });
});
