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

/** Whether two videos of the same size started at the same time and are equally long, to the precision of headers. */
const isSameRecording = (one: Recording, other: Recording) =>
  one.startedAt !== null &&
  other.startedAt !== null &&
  one.seconds !== null &&
  other.seconds !== null &&
  Math.abs(one.startedAt - other.startedAt) < 1000 &&
  Math.abs(one.seconds - other.seconds) < 0.05;

const recordingOf = ({ date, seconds }: Clip): Recording => ({ startedAt: date.startedAt, seconds });

const recordingOfEntry = ({ recordedAt, duration }: JournalVideo): Recording => ({
  startedAt: recordedAt === null ? null : Date.parse(recordedAt),
  seconds: duration,
});

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
  const whole = new Map<string, Promise<string>>();
  const ends = new Map<string, Promise<string>>();
  const once = (known: Map<string, Promise<string>>, { id }: Clip, work: () => Promise<string>) => {
    const digest = known.get(id) ?? work();
    known.set(id, digest);
    return digest;
  };
  const digestOf = async (blobs: readonly Blob[]) => {
    const hash = sha256.create();
    const update = (bytes: Uint8Array) => {
      signal.throwIfAborted();
      hash.update(bytes);
    };
    for (const blob of blobs) await hashBlob({ update }, blob);
    return bytesToHex(hash.digest());
  };
  return {
    /** Returns the SHA-256 of a clip, in hex. */
    ofWhole: (clip: Clip) => once(whole, clip, async () => digestOf([await clip.file.open()])),
    /** Returns a checksum of its first and last bytes, which tells different files apart quickly. */
    ofEnds: (clip: Clip) =>
      once(ends, clip, async () => {
        const video = await clip.file.open();
        return digestOf([video.slice(0, END_BYTES), video.slice(-END_BYTES)]);
      }),
  };
}

type Hashes = ReturnType<typeof createHashes>;

async function isSameFile(one: Clip, other: Clip, hashes: Hashes): Promise<boolean> {
  if ((await hashes.ofEnds(one)) !== (await hashes.ofEnds(other))) return false;
  return (await hashes.ofWhole(one)) === (await hashes.ofWhole(other));
}

/** Returns the entry of the same size that a clip is a copy of. */
async function findInJournal(
  clip: Clip,
  videos: readonly JournalVideo[],
  hashes: Hashes,
): Promise<Duplicate | null> {
  for (const video of videos) {
    const isSame = video.sha256 !== null && (await hashes.ofWhole(clip)) === video.sha256;
    if (isSame || isSameRecording(recordingOf(clip), recordingOfEntry(video))) {
      return { of: 'journal', title: video.title, date: video.date, isSame };
    }
  }
  return null;
}

/** Returns the earlier clip of the same size that a clip is a copy of. */
async function findAmongChosen(
  clip: Clip,
  earlier: readonly Clip[],
  hashes: Hashes,
): Promise<Duplicate | null> {
  for (const other of earlier) {
    const isSame = await isSameFile(clip, other, hashes);
    if (isSame || isSameRecording(recordingOf(clip), recordingOf(other))) {
      return { of: 'chosen', title: other.title, date: other.date.date, isSame };
    }
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
  const findOne = async (clip: Clip, inJournal: readonly JournalVideo[], kept: readonly Clip[]) =>
    (await findInJournal(clip, inJournal, hashes)) ?? (await findAmongChosen(clip, kept, hashes));
  const duplicates = new Map<string, Duplicate>();
  let done = 0;
  for (const [size, group] of bySize) {
    const inJournal = journal.get(size) ?? [];
    const kept: Clip[] = [];
    for (const clip of group.toSorted(bySurestDate)) {
      const duplicate = await findOne(clip, inJournal, kept).catch(() => {
        signal.throwIfAborted();
        // Its file can't be read, which the import is going to say.
        return null;
      });
      if (duplicate) duplicates.set(clip.id, duplicate);
      else kept.push(clip);
      done += 1;
      if (inJournal.length > 0 || group.length > 1) onProgress(done, clips.length);
    }
  }
  return duplicates;
}
