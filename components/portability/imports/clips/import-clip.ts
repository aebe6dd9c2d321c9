import { PART_BYTES } from '@/components/capture/uploads/transfer/open-upload';
import { createFileSource, type UploadEvents } from '@/components/capture/uploads/transfer/upload-file';
import { callInTime, retry } from '@/components/device/transfer/retry';
import { sendUnlessOvertaken, sendVideo } from '@/components/portability/imports/send-video';
import { type Body, call } from '@/lib/api/shared/client';
import { DEFAULT_TAG_COLOR } from '@/lib/journal/tags/shared/default-color';
import type { ChosenClip } from './chosen-clip';

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

async function importOnce(
  chosen: ChosenClip,
  importId: string,
  events: UploadEvents,
  signal: AbortSignal,
): Promise<void> {
  const { file } = chosen.clip;
  const video = await file.open();
  signal.throwIfAborted();
  const body = clipRequest(chosen);
  const open = () =>
    callInTime(
      (inTime) =>
        call('POST /imports/:id/clips', {
          params: { id: importId },
          body,
          signal: inTime,
          onExpired: 'throw',
        }),
      signal,
    );
  const { entryId, exists } = await retry(open, events, signal);
  if (exists) return;
  events.onOpened(entryId);
  await sendVideo(entryId, createFileSource(video, PART_BYTES), events, signal);
}

/** Imports a clip: opens its entry, and sends the video. See `ImportItem.send`. */
export async function importClip(
  chosen: ChosenClip,
  importId: string,
  events: UploadEvents,
  signal: AbortSignal,
): Promise<void> {
  await sendUnlessOvertaken(() => importOnce(chosen, importId, events, signal));
}
