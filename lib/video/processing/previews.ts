import path from 'node:path';
import { type MediaProbe, probe } from '@/lib/video/media/probe';
import { makeStoryboard } from '@/lib/video/media/storyboard';
import { measureWaveform } from '@/lib/video/media/waveform';
import { endPreviews, savePreviews } from '@/lib/video/previews/service';
import { type EntryStep, fetchEntryFile, publishFiles, withStepFolder } from './entry-files';
import { ffmpegTool } from './media-tool';

// Both are made from the final video: it's seekable, has a key frame every few seconds if it was encoded here, and its
// times are the player's.

/** Probes the final video. @throws MediaError */
export async function probeVideo(entry: EntryStep): Promise<MediaProbe> {
  return withStepFolder(entry.entryId, async (folder) =>
    probe(await ffmpegTool(), await fetchEntryFile(entry, 'video.mp4', folder), { signal: entry.signal }),
  );
}

/** Publishes a storyboard of the final video, if its frames allow one. */
export async function publishStoryboard(entry: EntryStep, video: MediaProbe): Promise<void> {
  await withStepFolder(entry.entryId, async (folder) => {
    const file = path.join(folder, 'storyboard.jpg');
    const input = await fetchEntryFile(entry, 'video.mp4', folder);
    const storyboard = await makeStoryboard(await ffmpegTool(), input, file, video, {
      signal: entry.signal,
    });
    if (!storyboard) return;
    await publishFiles(entry, [{ name: 'storyboard.jpg', file, contentType: 'image/jpeg' }], () =>
      savePreviews(entry.userId, entry.entryId, { storyboard }),
    );
  });
}

/** Publishes a waveform of the final video, if it has audio. */
export async function publishWaveform(entry: EntryStep, video: MediaProbe): Promise<void> {
  await withStepFolder(entry.entryId, async (folder) => {
    const input = await fetchEntryFile(entry, 'video.mp4', folder);
    const peaks = await measureWaveform(await ffmpegTool(), input, video, { signal: entry.signal });
    if (peaks.length === 0) return endPreviews(entry);
    await savePreviews(entry.userId, entry.entryId, { waveform: Buffer.from(peaks).toString('base64') });
  });
}
