import { asciiAt, type ByteReader, createByteReader } from '@/lib/video/shared/byte-reader';
import { codecName } from '@/lib/video/shared/codec-names';
import { DOLBY_VISION_5, unreadableFormat } from '@/lib/video/shared/refusals';
import { HEAD_BYTES } from './container';
import type { Track, TrackList } from './track';
import { findUnreadableFormat } from './unreadable-formats';
import { readVideoTracks } from './video-tracks';

const SOUND_ONLY = 'This file has sound only.';
const PROTECTED = 'This video is protected (DRM), so only the app it came from can play it.';
const PLAYLIST = 'This file only links to a video. Upload the video itself.';
const DISK_IMAGE = 'This is a disk image. Upload the videos on it.';
const DVD_INDEX = 'This file only lists what’s on a DVD. Upload the VOB files from the same folder.';

/**
 * Codecs of pictures that the server doesn't decode: H.266, MPEG-5 EVC, LCEVC without what it enhances, and APV (mp4ra.org),
 * and what cameras record as raw: ProRes RAW, Canon's, and Blackmagic's, each quality of which has a name of its own.
 */
const UNREADABLE_CODECS = new Set([
  ...['vvc1', 'vvi1', 'V_MPEGI/ISO/VVC', 'vvc', 'evc1', 'lvc1', 'apv1', 'aprn', 'aprh', 'CRAW'],
  ...['braw', 'brhq', 'brlt', 'brs2', 'brst', 'brvl', 'brvn', 'brxh', 'brxq'],
]);

/** Returns why the pictures of a track can't be shown; null if they may be. */
function findTrackProblem({ codec, isProtected, dolbyVisionProfile }: Track): string | null {
  if (isProtected) return PROTECTED;
  if (dolbyVisionProfile === 5) return DOLBY_VISION_5;
  return UNREADABLE_CODECS.has(codec) ? unreadableFormat(codecName(codec) ?? codec) : null;
}

/** Returns why none of the tracks can be shown; null if one of them may be. */
function findTracksProblem({ tracks, isComplete }: TrackList): string | null {
  if (!isComplete) return null;
  const pictures = tracks.filter(({ kind }) => kind === 'video');
  if (pictures.length === 0) return tracks.some(({ kind }) => kind === 'audio') ? SOUND_ONLY : null;
  const problems = pictures.map(findTrackProblem);
  return problems.includes(null) ? null : (problems[0] ?? null);
}

/** What files with nothing but sound start with. */
const SOUNDS = ['ID3', 'MThd', 'fLaC', 'caff', '.snd', '#!AMR', 'MAC ', 'wvpk', '.ra\xfd'];

/** Returns what a file is that may be taken for a video, by its first bytes; null for others. */
function findOtherKind(head: string): string | null {
  const isSound =
    SOUNDS.some((start) => head.startsWith(start)) ||
    (head.startsWith('RIFF') && head.startsWith('WAVE', 8)) ||
    (head.startsWith('FORM') && /^AIF[FC]/.test(head.slice(8)));
  if (isSound) return SOUND_ONLY;
  if (/^(?:\xef\xbb\xbf)?\s*(?:#EXTM3U|<MPD\s|<\?xml[\s\S]*?<MPD\s)/.test(head)) return PLAYLIST;
  return /^DVDVIDEO-V[MT][GS]/.test(head) ? DVD_INDEX : null;
}

/** Where the first volume descriptor's identifier is: behind 16 sectors of 2,048 bytes, and its type (ECMA-119, 6.2.1 and 8.1). */
const DISK_ID_PLACE = 32_769;
/** Those of ISO 9660 and UDF (ECMA-167, 2/9.1.2). */
const DISK_IDS = new Set(['CD001', 'BEA01']);

async function isDiskImage(file: ByteReader): Promise<boolean> {
  if (file.size < DISK_ID_PLACE + 5) return false;
  return DISK_IDS.has(asciiAt(await file.read(DISK_ID_PLACE, 5), 0, 5));
}

/**
 * Returns why a file can't become an entry, as a sentence for the person; null if it may. Only what's known not to work is
 * refused: the server decides about everything else. Reads a few headers, and never rejects.
 */
export async function findRefusal(file: Blob): Promise<string | null> {
  try {
    const reader = createByteReader(file);
    const start = await reader.read(0, HEAD_BYTES);
    const head = asciiAt(start, 0, start.byteLength);
    const format = findUnreadableFormat(head);
    if (format) return unreadableFormat(format);
    const tracks = await readVideoTracks(reader, head);
    if (tracks) return findTracksProblem(tracks);
    return findOtherKind(head) ?? ((await isDiskImage(reader)) ? DISK_IMAGE : null);
  } catch {
    // Damaged, or unreadable.
    return null;
  }
}
