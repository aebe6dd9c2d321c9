import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { hashBlob } from '@/components/capture/uploads/transfer/hash-blob';
import type { Clip } from '@/components/portability/imports/sources/read-clips';
import { call, type ResponseBody } from '@/lib/api/shared/client';
import type { Duplicate } from './clip-review';

/** An entry of the journal, with what its video is known by. */
type JournalVideo = ResponseBody<'POST /imports/find-videos'>['videos'][number];

/** As the contract has it. */
const MAX_SIZES = 1000;

/** How much of both ends of a file is compared before the rest is read. */
const END_BYTES = 65_536;

/** What videos are compared by, when not by their bytes. Milliseconds and seconds. */
interface Recording {
  startedAt: number | null;
  seconds: number | null;
}

const areClose = (one: number | null, other: number | null, tolerance: number) =>
  one !== null && other !== null && Math.abs(one - other) < tolerance;

/** Whether two videos of the same size started at the same time and are equally long, to the precision of headers. */
const isSameRecording = (one: Recording, other: Recording) =>
  areClose(one.startedAt, other.startedAt, 1000) && areClose(one.seconds, other.seconds, 0.05);

/** Returns the journal's entries whose videos have one of these sizes, by size. */
async function findJournalVideos(
  sizes: readonly number[],
  signal: AbortSignal,
): Promise<Map<number, JournalVideo[]>> {
  const found = new Map<number, JournalVideo[]>();
  for (let at = 0; at < sizes.length; at += MAX_SIZES) {
    const body = { videos: sizes.slice(at, at + MAX_SIZES).map((size) => ({ size })) };
    const { videos } = await call('POST /imports/find-videos', { body, signal });
    for (const video of videos) found.set(video.size, [...(found.get(video.size) ?? []), video]);
  }
  return found;
}

/** Reads clips' bytes, each at most once. */
function createHashes(signal: AbortSignal) {
  const once = (work: (video: Blob) => readonly Blob[]) => {
    const known = new Map<string, Promise<string>>();
    const digestOf = async ({ file }: Clip) => {
      const hash = sha256.create();
      const update = (bytes: Uint8Array) => {
        signal.throwIfAborted();
        hash.update(bytes);
      };
      for (const blob of work(await file.open())) await hashBlob({ update }, blob);
      return bytesToHex(hash.digest());
    };
    return (clip: Clip) => {
      const digest = known.get(clip.id) ?? digestOf(clip);
      known.set(clip.id, digest);
      return digest;
    };
  };
  return {
    /** Returns the SHA-256 of a clip, in hex. */
    ofWhole: once((video) => [video]),
    /** Returns a checksum of its first and last bytes, which tells different files apart quickly. */
    ofEnds: once((video) => [video.slice(0, END_BYTES), video.slice(-END_BYTES)]),
  };
}

type Hashes = ReturnType<typeof createHashes>;

/** Something that clips of the same size may be copies of. */
interface Original extends Recording {
  duplicate: Omit<Duplicate, 'isSame'>;
  hasBytesOf(clip: Clip): Promise<boolean>;
}

const originalEntry = (video: JournalVideo, { ofWhole }: Hashes): Original => ({
  duplicate: { of: 'journal', title: video.title, date: video.date },
  startedAt: video.recordedAt === null ? null : Date.parse(video.recordedAt),
  seconds: video.duration,
  hasBytesOf: async (clip) => video.sha256 !== null && (await ofWhole(clip)) === video.sha256,
});

const originalClip = (original: Clip, { ofWhole, ofEnds }: Hashes): Original => ({
  duplicate: { of: 'chosen', title: original.title, date: original.date.date },
  startedAt: original.date.startedAt,
  seconds: original.seconds,
  hasBytesOf: async (clip) =>
    (await ofEnds(clip)) === (await ofEnds(original)) && (await ofWhole(clip)) === (await ofWhole(original)),
});

/** Returns the first of these that a clip is a copy of. */
async function findOriginal(clip: Clip, originals: readonly Original[]): Promise<Duplicate | null> {
  const recording = { startedAt: clip.date.startedAt, seconds: clip.seconds };
  for (const original of originals) {
    const isSame = await original.hasBytesOf(clip);
    if (isSame || isSameRecording(recording, original)) return { ...original.duplicate, isSame };
  }
  return null;
}

/** Orders copies: the one whose date is surest comes first, and is kept. */
const bySurestDate = (one: Clip, other: Clip) =>
  Number(one.date.date === null) - Number(other.date.date === null) ||
  Number(one.date.warning !== null) - Number(other.date.warning !== null);

/**
 * Finds clips that are copies of an entry, or of another clip. Videos of different sizes are never copies, so only those
 * whose size isn't the only one are read. Of the copies among the clips, one is kept.
 * @param onProgress called with how many of the clips have been compared
 * @returns what each copy is one of, by the clip's id
 * @throws ApiError; DOMException if a file can't be read anymore; or the signal's reason if it's aborted
 */
export async function findDuplicates(
  clips: readonly Clip[],
  onProgress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<Map<string, Duplicate>> {
  const bySize = new Map<number, Clip[]>();
  for (const clip of clips) bySize.set(clip.file.size, [...(bySize.get(clip.file.size) ?? []), clip]);
  const journal = await findJournalVideos([...bySize.keys()], signal);
  const hashes = createHashes(signal);
  const duplicates = new Map<string, Duplicate>();
  let done = 0;
  for (const [size, group] of bySize) {
    const originals = (journal.get(size) ?? []).map((video) => originalEntry(video, hashes));
    const isCompared = originals.length > 0 || group.length > 1;
    for (const clip of group.toSorted(bySurestDate)) {
      const duplicate = await findOriginal(clip, originals).catch(() => {
        signal.throwIfAborted();
        // Its file can't be read, which the import is going to say.
        return null;
      });
      if (duplicate) duplicates.set(clip.id, duplicate);
      else originals.push(originalClip(clip, hashes));
      done += 1;
      if (isCompared) onProgress(done, clips.length);
    }
  }
  return duplicates;
}
