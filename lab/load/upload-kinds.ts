import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { slowClip } from '@/e2e/slow-clip';
import { ERRORS } from '@/lib/foundation/contract/errors';
import { MediaError } from '@/lib/video/media/errors';
import { h264Mp4, noAudioMp4, noisyMp4, noVideoMp4, vp9Webm } from '@/test/media/clips';
import { cached, encode } from '@/test/media/encode';
import { spokenSentence } from '@/test/media/speech';
import type { UploadKind } from './schedule';

/** What an upload must have become in the end. */
interface FinalState {
  /** Where its entry is; `nowhere` if there must be none. */
  place: 'journal' | 'trash' | 'nowhere';
  video?: 'ready' | 'failed';
  /** The sentence that its owner reads, for one that failed. */
  error?: string;
  /** Any of these. */
  transcript?: ('completed' | 'no_speech' | 'failed')[];
  /** Words of the transcript. */
  words?: string;
}

interface KindDetails {
  clip: () => Promise<string>;
  type: string;
  ends: FinalState;
}

/** Longer than the smallest plan allows in all: a frame a minute. */
const fourHours = () =>
  cached('four-hours.mp4', (path) =>
    encode(
      [
        ...['-f', 'lavfi', '-t', '14400', '-i', 'testsrc2=size=320x180:rate=1/60'],
        ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'],
      ],
      path,
    ),
  );
const notAVideo = () => cached('words.mp4', (path) => writeFile(path, 'Not a video at all. '.repeat(500)));
const READY: FinalState = { place: 'journal', video: 'ready', transcript: ['no_speech'] };
const failed = (error: string): FinalState => ({
  place: 'journal',
  video: 'failed',
  error,
  transcript: ['failed'],
});
const MP4 = 'video/mp4';

/** What each kind of upload sends, and what has to become of it. */
export const UPLOAD_KINDS: Record<UploadKind, KindDetails> = {
  copied: { clip: h264Mp4, type: MP4, ends: READY },
  silent: { clip: noAudioMp4, type: MP4, ends: READY },
  transcoded: { clip: vp9Webm, type: 'video/webm', ends: READY },
  // So that kills hit ffmpeg, too.
  'encoded for long': { clip: slowClip, type: 'video/webm', ends: READY },
  spoken: {
    clip: spokenSentence,
    type: MP4,
    ends: { ...READY, transcript: ['completed'], words: 'disposed young man' },
  },
  // Two parts, with a reload after the first.
  reloaded: { clip: noisyMp4, type: MP4, ends: READY },
  // The tab is closed when storage has everything, before it says so.
  unconfirmed: { clip: noAudioMp4, type: MP4, ends: READY },
  unreadable: { clip: notAVideo, type: MP4, ends: failed(new MediaError('unreadable').message) },
  'no video': { clip: noVideoMp4, type: MP4, ends: failed(new MediaError('no_video').message) },
  'in the trash': { clip: h264Mp4, type: MP4, ends: { place: 'trash' } },
  deleted: { clip: h264Mp4, type: MP4, ends: { place: 'nowhere' } },
  held: { clip: fourHours, type: MP4, ends: failed(ERRORS.quota_reached[1]) },
  refused: { clip: noAudioMp4, type: MP4, ends: { place: 'nowhere' } },
};

export interface Clip {
  file: File;
  bytes: number;
  sha256: string;
}

/** Makes the clips of all kinds. */
export async function makeClips(): Promise<Record<UploadKind, Clip>> {
  const clips: Partial<Record<UploadKind, Clip>> = {};
  for (const [kind, { clip, type }] of Object.entries(UPLOAD_KINDS)) {
    const path = await clip();
    const content = await readFile(path);
    clips[kind as UploadKind] = {
      file: new File([content], basename(path), { type }),
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    };
  }
  return clips as Record<UploadKind, Clip>;
}
