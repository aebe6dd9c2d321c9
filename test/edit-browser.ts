import 'fake-indexeddb/auto';
import { eq } from 'drizzle-orm';
import { IDBFactory } from 'fake-indexeddb';
import { vi } from 'vitest';
import { sentWords } from '@/components/journal/transcript/transcript-draft';
import { db } from '@/db/client';
import { entries as rows } from '@/db/schema/entries';

import * as entries from '@/lib/journal/entries/contract';
import { getEntry } from '@/lib/journal/entries/service';
import { removeEntry, restoreEntry } from '@/lib/journal/entries/trash';
import * as notes from '@/lib/journal/notes/contract';
import { deleteNote, editNote, listNotes, postNote } from '@/lib/journal/notes/service';
import * as transcripts from '@/lib/journal/transcripts/contract';
import { listRevisions, readRevision, saveTranscription } from '@/lib/journal/transcripts/revisions';
import { type Operations, stubBrowser } from './browser';
import { makeEntry, makeUser } from './factories';

/** The operations that sending edits calls, as their routes run them. */
const OPERATIONS: Operations = [
  [entries.getEntry, (userId, id) => getEntry(userId, id)],
  [notes.postNote, (userId, id, body) => postNote(userId, id, body)],
  [notes.editNote, (userId, id, body, noteId) => editNote(userId, id, noteId, body)],
  [notes.deleteNote, (userId, id, _, noteId) => deleteNote(userId, id, noteId).then(() => ({}))],
  [
    transcripts.saveTranscription,
    async (userId, id, { transcription, revision }) => ({
      transcription: await saveTranscription(userId, id, transcription.words, revision),
    }),
  ],
  [transcripts.readRevision, (userId, id, _, revision) => readRevision(userId, id, Number(revision))],
];

/** Words of half a second each, one a second. */
export const said = (text: string): transcripts.Word[] =>
  text.split(' ').map((word, index) => ({ word, start_time: index, end_time: index + 0.5 }));

/** What's in the journal, and what others change there meanwhile. */
function openJournal(owner: string, entryId: string) {
  return {
    listNotes: () => listNotes(owner, entryId),
    texts: async () => (await listNotes(owner, entryId)).map(({ text }) => text),
    addNote: (text: string) => postNote(owner, entryId, { text, moment: 4 }),
    changeNote: ({ id }: notes.Note, text: string) => editNote(owner, entryId, id, { text }),
    deleteNote: ({ id }: notes.Note) => deleteNote(owner, entryId, id),
    saveWords: (text: string) => saveTranscription(owner, entryId, sentWords(said(text))),
    spoken: async () =>
      (await getEntry(owner, entryId)).transcription.words.map(({ word }) => word).join(' '),
    /** What each revision says, newest first. */
    history: async () => {
      const revisions = await listRevisions(owner, entryId);
      const found = revisions.map(({ revision }) => readRevision(owner, entryId, revision));
      return (await Promise.all(found)).map(({ words }) => words.map(({ word }) => word).join(' '));
    },
    moveToTrash: () => removeEntry(owner, entryId),
    restore: () => restoreEntry(owner, entryId),
    /** Has the journal's text reach its limit, or be far from it. */
    setTextBytes: (textBytes: number) => db().update(rows).set({ textBytes }).where(eq(rows.id, entryId)),
  };
}

/**
 * Makes an account with an entry, and opens its owner's browser with a new IndexedDB, whose tabs edit without a network.
 * Undo with `vi.unstubAllGlobals`.
 */
export async function openEditBrowser() {
  const { id: owner } = await makeUser();
  const { id: entryId } = await makeEntry(owner, { durationMs: 60_000 });
  vi.stubGlobal('indexedDB', new IDBFactory());
  const browser = stubBrowser(owner, OPERATIONS);
  return {
    /** What edits belong to. */
    of: { owner, entryId, title: 'A day' },
    journal: openJournal(owner, entryId),
    browser,
    /** Whether answers to changes get lost, though the server has made them. */
    setAnswersLost(areLost: boolean) {
      browser.onAnswer = (call) => {
        if (areLost && call.startsWith('POST')) throw new TypeError('Failed to fetch');
      };
    },
    /** Opens a tab: code of its own, which shares storage and locks with the other tabs. A reload opens one, too. */
    async openTab() {
      vi.resetModules();
      const [store, sending] = [
        await import('@/components/journal/offline-edits/edit-store'),
        await import('@/components/journal/offline-edits/send-edits'),
      ];
      return { ...store, ...sending };
    },
  };
}

export type EditBrowser = Awaited<ReturnType<typeof openEditBrowser>>;
export type EditTab = Awaited<ReturnType<EditBrowser['openTab']>>;
