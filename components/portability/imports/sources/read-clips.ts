import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { type ClipDate, resolveClipDate } from '@/components/capture/uploads/video-file/clip-date';
import { HEAD_BYTES } from '@/components/capture/uploads/video-file/container';
import type { Reader } from '@/components/capture/uploads/video-file/date-finding';
import { findRefusal } from '@/components/capture/uploads/video-file/refusal';
import { readVideoHeader } from '@/components/capture/uploads/video-file/video-header';
import { detectVideoType } from '@/components/capture/uploads/video-file/video-type';
import { ArchiveProblem } from '@/components/portability/imports/archive-problem';
import { fromIso } from '@/lib/journal/entries/shared/calendar';
import { splitText, titleOfClip, titleOfText } from './clip-text';
import { type ClipDescription, type DayOneVideo, readDayOne } from './day-one';
import { hasPhoto, indexPhotos, isLivePhoto, type PhotoIndex } from './live-photos';
import { isJunk, isOtherFile, readHeaderSource, type SourceFile } from './source-file';
import { indexSidecars, readSidecar, type SidecarIndex } from './takeout';

/** A video that can be imported. */
export interface Clip {
  /** The same whenever the same file is chosen: by its path, its size, and its last change. 64 characters. */
  id: string;
  file: SourceFile;
  /** A media type, by its content. */
  type: string;
  title: string;
  isTitleTelling: boolean;
  /** Whether it's the video of a photo, which few people want as an entry. */
  isLivePhoto: boolean;
  date: ClipDate;
  /** Its length; null if it isn't known. */
  seconds: number | null;
  /** `createdAt` is in ISO 8601. */
  notes: { text: string; createdAt: string }[];
  tags: string[];
}

/** What was found among files. */
export interface ReadClips {
  /** By date, without one last, and then in the order in which they were recorded. */
  clips: Clip[];
  /** Videos that can't be imported, with a sentence for the person. */
  ignored: { path: string; reason: string }[];
  kind: 'files' | 'takeout' | 'day_one';
  /** Entries of Day One that have no video. */
  withoutVideo: number;
}

export interface ReadOptions extends Reader {
  /** Called with numbers of files. */
  onProgress?: (done: number, total: number) => void;
  signal?: AbortSignal;
}

/** Reads wait for the disk, so several at once are faster. */
const READS_AT_ONCE = 4;

const REASONS = {
  empty: 'This file is empty.',
  missing: 'This video isn’t in the export. Open the entry in Day One to download it, then export again.',
  unreadable: 'Your browser can’t read this file. Choose it again.',
  twice: 'You chose this file twice.',
} as const;

const NO_DESCRIPTION: ClipDescription = {
  sidecar: null,
  location: null,
  title: '',
  note: '',
  tags: [],
  seconds: null,
};

/** Returns when a file was last changed: in a ZIP by the clock of who made it, which is the same in every time zone. */
const changeOf = ({ archive, lastModified }: SourceFile) =>
  archive === null || lastModified === null
    ? lastModified
    : lastModified - new Date(lastModified).getTimezoneOffset() * 60_000;

const idOf = (file: SourceFile, use: number) =>
  bytesToHex(sha256(utf8ToBytes(JSON.stringify([file.originalPath, file.size, changeOf(file), use]))));

async function describeByTakeout(
  file: SourceFile,
  sidecars: SidecarIndex,
  now: number,
): Promise<ClipDescription | null> {
  const found = await readSidecar(sidecars, file, now);
  if (!found) return null;
  const { title, rest } = titleOfText(found.description);
  const sidecar = found.takenAt === null ? null : { instant: found.takenAt, zone: null, isChosen: false };
  return { ...NO_DESCRIPTION, sidecar, location: found.location, title, note: rest };
}

/**
 * Reads a clip.
 * @param photos null if the clip belongs to an entry already, so that it's no part of a photo
 * @returns null if it's no video, or a sentence if it can't be played
 */
async function readClip(
  file: SourceFile,
  id: string,
  described: ClipDescription,
  photos: PhotoIndex | null,
  reader: Reader,
): Promise<Clip | string | null> {
  const head = await file.readStart(HEAD_BYTES);
  const type = detectVideoType(head, { name: file.name, type: '' });
  if (type === null) return null;
  const isPaired = photos !== null && hasPhoto(photos, file);
  // The length of a video with a photo of its name tells whether it's part of that.
  const source = await readHeaderSource(file, described.sidecar !== null && !isPaired);
  const refusal = await findRefusal(source);
  if (refusal) return refusal;
  const header = await readVideoHeader(source, reader.now);
  const { sidecar, note, tags } = described;
  const date = resolveClipDate(
    {
      ...{ sidecar, header, location: described.location ?? header.location },
      ...{ path: file.path, lastModified: file.lastModified },
    },
    reader,
  );
  const { title, isTelling } = titleOfClip(described.title, file.name, fromIso(date.date ?? ''));
  const createdAt = new Date(date.startedAt ?? reader.now).toISOString();
  return {
    ...{ id, file, type, title, isTitleTelling: isTelling, date, tags },
    isLivePhoto: photos !== null && isLivePhoto(header, isPaired),
    seconds: header.seconds ?? described.seconds,
    notes: splitText(note).map((text) => ({ text, createdAt })),
  };
}

/** By date, then by when they started, then by path. */
function compareClips(one: Clip, other: Clip): number {
  const dates = [one.date.date ?? '9999', other.date.date ?? '9999'];
  if (dates[0] !== dates[1]) return (dates[0] ?? '') < (dates[1] ?? '') ? -1 : 1;
  const starts = (one.date.startedAt ?? Infinity) - (other.date.startedAt ?? Infinity);
  return starts || one.file.path.localeCompare(other.file.path, 'en', { numeric: true });
}

/** Lists the files to read, and what their Day One entries say. */
function listCandidates(files: readonly SourceFile[], entries: readonly DayOneVideo[]) {
  const used = new Set(entries.map(({ file }) => file));
  const ofEntries = entries.flatMap(({ file, description }) => (file ? [{ file, description }] : []));
  const others = files.filter((file) => !used.has(file) && !isOtherFile(file.name));
  return [...ofEntries, ...others.map((file) => ({ file, description: null }))];
}

/**
 * Reads the videos among files with everything that's known of them: from Google Takeout's and Day One's files, from
 * their own headers, and from their names. Reads only what's needed, and waits for the disk in between, so the page
 * stays responsive.
 * @throws the signal's reason if it's aborted
 */
export async function readClips(chosen: readonly SourceFile[], options: ReadOptions): Promise<ReadClips> {
  const { now, onProgress, signal } = options;
  const files = chosen.filter((file) => !isJunk(file.path));
  const dayOne = await readDayOne(files);
  const sidecars = indexSidecars(files);
  const photos = indexPhotos(files);
  const entries = dayOne?.videos ?? [];
  const candidates = listCandidates(files, entries);
  const result: ReadClips = {
    clips: [],
    ignored: entries.flatMap(({ file, path }) => (file ? [] : { path, reason: REASONS.missing })),
    kind: dayOne ? 'day_one' : 'files',
    withoutVideo: dayOne?.withoutVideo ?? 0,
  };
  const uses = new Map<SourceFile, number>();
  const ids = new Set<string>();
  let [next, done] = [0, 0];

  async function readOne({ file, description }: (typeof candidates)[number]): Promise<string | null> {
    if (file.size === 0) return REASONS.empty;
    const use = uses.get(file) ?? 0;
    uses.set(file, use + 1);
    const id = idOf(file, use);
    if (ids.has(id)) return REASONS.twice;
    ids.add(id);
    const takeout = description ? null : await describeByTakeout(file, sidecars, now);
    if (takeout && result.kind === 'files') result.kind = 'takeout';
    const clip = await readClip(
      file,
      id,
      description ?? takeout ?? NO_DESCRIPTION,
      description ? null : photos,
      options,
    );
    if (typeof clip === 'string') return clip;
    if (clip) result.clips.push(clip);
    return null;
  }

  async function work(): Promise<void> {
    for (let candidate = candidates[next++]; candidate; candidate = candidates[next++]) {
      signal?.throwIfAborted();
      const problem = await readOne(candidate).catch((error: unknown) =>
        error instanceof ArchiveProblem ? error.message : REASONS.unreadable,
      );
      if (problem) result.ignored.push({ path: candidate.file.path, reason: problem });
      done += 1;
      onProgress?.(done, candidates.length);
    }
  }
  await Promise.all(Array.from({ length: READS_AT_ONCE }, work));
  signal?.throwIfAborted();
  result.clips.sort(compareClips);
  return result;
}
