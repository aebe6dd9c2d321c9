import { z } from 'zod';
import { done, id, resourceId, text } from '@/lib/foundation/contract/fields';
import { operation } from '@/lib/foundation/contract/operation';

export const note = z
  .object({
    id: resourceId,
    text: z.string().meta({ example: 'Remember the lighthouse' }),
    createdAt: z.iso.datetime(),
    moment: z.number().nullable().meta({
      description:
        'The time in the video that the note is attached to, in seconds; null if it’s about the whole video.',
      example: 65.2,
    }),
  })
  .meta({ id: 'Note' });
export type Note = z.infer<typeof note>;

/** How many notes an entry has at most. */
export const MAX_ENTRY_NOTES = 5000;

const one = z.object({ id });
const ofEntry = z.object({ id, noteId: id });

export const noteText = text(10_000, 'Write something first.').meta({ example: 'Remember the lighthouse' });

export const noteMoment = z.number().min(0).max(1_000_000).nullable().meta({
  description: 'In seconds, with millisecond precision; null for the whole video.',
  example: 65.2,
});

const noteFields = { text: noteText, moment: noteMoment.optional() };

const newNote = z
  .object({
    ...noteFields,
    client_id: z.uuid().optional().meta({
      description: 'Made up by the client for each note, so that repeating the request doesn’t add it twice.',
    }),
    createdAt: z.iso.datetime().optional().meta({
      description:
        'When it was written, if that was earlier. Times in the future count as now, and those over 90 days ago as 90 days ago.',
      example: '2026-03-01T18:30:00.000Z',
    }),
  })
  .meta({ id: 'NewNote' });
export type NewNote = z.infer<typeof newNote>;

const changedNote = z
  .object({
    ...noteFields,
    before: noteText.optional().meta({
      description: 'The text that was edited. If the note has another one by now, answers 409.',
    }),
  })
  .meta({ id: 'ChangedNote' });
export type ChangedNote = z.infer<typeof changedNote>;

export const listNotes = operation({
  method: 'GET',
  path: '/entry/:id/notes',
  summary: 'List an entry’s notes',
  description: 'Returns them newest first.',
  access: 'verified',
  params: one,
  response: z.array(note),
  errors: ['not_found'],
});

export const postNote = operation({
  method: 'POST',
  path: '/entry/:id/notes',
  summary: 'Add a note',
  description:
    'A note can be attached to a moment in the video. Repeating a `client_id` adds nothing and returns the note as it is now, also with 201.',
  access: 'verified',
  params: one,
  body: newNote,
  response: note,
  status: 201,
  errors: ['validation_failed', 'not_found', 'quota_reached'],
});

export const editNote = operation({
  method: 'POST',
  path: '/entry/:id/notes/:noteId',
  summary: 'Update a note',
  description:
    'Replaces the note’s text and, if given, its moment. With `before`, answers 409 if the note’s text is neither that nor already the new one.',
  access: 'verified',
  params: ofEntry,
  body: changedNote,
  response: note,
  errors: ['validation_failed', 'not_found', 'conflict', 'quota_reached'],
});

export const deleteNote = operation({
  method: 'DELETE',
  path: '/entry/:id/notes/:noteId',
  summary: 'Delete a note',
  description: 'Deletes it permanently.',
  access: 'verified',
  params: ofEntry,
  response: done,
  errors: ['not_found'],
});
