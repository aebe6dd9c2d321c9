import { randomBytes, randomUUID } from 'node:crypto';
import { archivedEntry, archivedJournal, archivedTranscript } from './archive-writer';

/** A journal of two entries with everything that an archive can hold. */
export function fullArchive() {
  const files = new Map<string, Buffer>();
  const [family, trip] = [randomUUID(), randomUUID()];
  const first = archivedEntry(files, randomBytes(5000), {
    question: 'Who do you owe a call?',
    tags: [family, trip],
    notes: [
      { id: randomUUID(), text: 'Call again', moment: 1.234, createdAt: '2024-05-04T08:00:00.001Z' },
      { id: randomUUID(), text: 'Two\nlines', moment: null, createdAt: '2024-05-05T08:00:00.002Z' },
    ],
  });
  const silent = { ...archivedTranscript, status: 'no_speech' as const, language: null, revisions: [] };
  const second = archivedEntry(files, randomBytes(100), {
    title: 'Rain',
    date: '2025-01-31',
    createdAt: '2025-02-01T00:00:00.000Z',
    transcript: silent,
  });
  const journal = archivedJournal([first, second], {
    vocabulary: ['Siobhan', 'kayak'],
    tags: [
      { id: family, name: 'Family', color: '#336699' },
      { id: trip, name: 'Trip', color: '#AA0000' },
      { id: randomUUID(), name: 'Unused', color: '#00AA00' },
    ],
    hiddenMemories: [
      { entry: first.id, tag: null, date: null, createdAt: '2025-01-01T00:00:00.000Z' },
      { entry: null, tag: trip, date: null, createdAt: '2025-01-02T00:00:00.000Z' },
      { entry: null, tag: null, date: '2024-05-01', createdAt: '2025-01-03T00:00:00.000Z' },
    ],
  });
  return { journal, files };
}

/** A journal of one entry. */
export function smallArchive(values: Parameters<typeof archivedEntry>[2] = {}) {
  const files = new Map<string, Buffer>();
  return { journal: archivedJournal([archivedEntry(files, randomBytes(2000), values)]), files };
}
