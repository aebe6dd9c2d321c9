import { z } from 'zod';
import { id, text } from '@/lib/contract/fields';
import { operation } from '@/lib/contract/operation';

export const note = z.object({
  id: z.string(),
  text: z.string(),
  createdAt: z.iso.datetime(),
  /** The time in the video that the note is attached to, in seconds; null if it's about the whole video. */
  moment: z.number().nullable(),
});
export type Note = z.infer<typeof note>;

const one = z.object({ id });
const ofEntry = z.object({ id, noteId: id });

const noteText = text(10_000, 'Write something first.');

/** Seconds, with millisecond precision. */
const timestamptz = z.number().min(0).max(1_000_000).nullable().optional();

export const listNotes = operation({
  method: 'GET',
  path: '/entry/:id/notes',
  summary: 'List an entry’s notes, newest first.',
  access: 'verified',
  params: one,
  response: z.array(note),
  errors: ['not_found'],
});

export const postNote = operation({
  method: 'POST',
  path: '/entry/:id/notes',
  summary: 'Add a note, optionally attached to a moment in the video.',
  access: 'verified',
  params: one,
  body: z.object({ text: noteText, moment: timestamptz }),
  response: note,
  status: 201,
  errors: ['validation_failed', 'not_found'],
});

export const editNote = operation({
  method: 'POST',
  path: '/entry/:id/notes/:noteId',
  summary: 'Update a note’s text and, if given, its moment.',
  access: 'verified',
  params: ofEntry,
  body: z.object({ text: noteText, moment: timestamptz }),
  response: note,
  errors: ['validation_failed', 'not_found'],
});

export const deleteNote = operation({
  method: 'DELETE',
  path: '/entry/:id/notes/:noteId',
  summary: 'Delete a note permanently.',
  access: 'verified',
  params: ofEntry,
  response: z.object({}),
  errors: ['not_found'],
});
