import { PART_BYTES } from '@/components/capture/uploads/transfer/open-upload';
import { createFileSource } from '@/components/capture/uploads/transfer/upload-file';
import { stopsEverything } from '@/components/portability/imports/import-error';
import type { ImportItem, ImportKind, ImportSource } from '@/components/portability/imports/import-source';
import { callWithRetries, sendVideo } from '@/components/portability/imports/send-video';
import { type Body, call } from '@/lib/api/shared/client';
import { DEFAULT_TAG_COLOR } from '@/lib/journal/tags/shared/default-color';
import type { ChosenClip, IdentifiedValues } from './clip-review';

const NOT_CHOSEN = 'This file is missing from what you chose. Choose the same folder or files to import it.';

function clipRequest({ clip, values }: ChosenClip): Body<'POST /imports/:id/clips'> {
  const { id, file, type, seconds, date, notes } = clip;
  const { startedAt } = date;
  return {
    clip_id: id,
    file_name: file.name,
    content_type: type,
    size: file.size,
    duration: seconds || null,
    title: values.title,
    titleFromWords: values.titleFromWords,
    date: values.date,
    recordedAt: startedAt === null ? null : new Date(startedAt).toISOString(),
    tags: values.tags.map((name) => ({ name, color: DEFAULT_TAG_COLOR })),
    notes: notes.map(({ text, createdAt }) => ({ text, moment: null, createdAt })),
  };
}

const sendClip =
  (chosen: ChosenClip): ImportItem['send'] =>
  async (importId, events, signal) => {
    const video = await chosen.clip.file.open();
    signal.throwIfAborted();
    const opening = { params: { id: importId }, body: clipRequest(chosen) };
    const { entryId, exists } = await callWithRetries(
      (options) => call('POST /imports/:id/clips', { ...opening, ...options }),
      events,
      signal,
    );
    if (exists) return;
    events.onOpened(entryId);
    await sendVideo(entryId, createFileSource(video, PART_BYTES), events, signal);
  };

const itemOf = (chosen: ChosenClip): ImportItem => ({
  id: chosen.clip.id,
  title: chosen.values.title,
  date: chosen.values.date,
  bytes: chosen.clip.file.size,
  seconds: chosen.clip.seconds,
  problem: null,
  send: sendClip(chosen),
});

/** Returns an item for a clip of an interrupted import that wasn't chosen again. */
const missingItemOf = ({ id, title, date }: IdentifiedValues): ImportItem => ({
  ...{ id, title, date, bytes: 0, seconds: null },
  problem: NOT_CHOSEN,
  send: () => Promise.reject(new Error(NOT_CHOSEN)),
});

/**
 * Returns what imports clips.
 * @param missing those of an interrupted import that weren't chosen again
 */
export function createClipsSource(
  kind: ImportKind,
  name: string,
  chosen: readonly ChosenClip[],
  missing: readonly IdentifiedValues[] = [],
): ImportSource {
  const items = [...chosen.map(itemOf), ...missing.map(missingItemOf)];
  return {
    kind,
    name,
    items,
    tags: 0,
    async findStates(importId) {
      // Before it starts, the review has told which ones the journal has.
      if (importId === null) return items.map(() => 'new');
      const { clips } = await call('GET /imports/:id/clips', { params: { id: importId } });
      const states = new Map(clips.map(({ clipId, state }) => [clipId, state]));
      return items.map(({ id }) => states.get(id) ?? 'new');
    },
    sendShared: async () => {},
    // Another file can still be read.
    stopsAll: stopsEverything,
  };
}
