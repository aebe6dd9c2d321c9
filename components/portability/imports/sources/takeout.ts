import { isPlausibleTime } from '@/components/capture/uploads/video-file/local-time';
import type { VideoHeader } from '@/components/capture/uploads/video-file/video-header';
import { readJson, type SourceFile } from './source-file';

// Google Takeout puts a JSON file next to each photo and video. Names are as exports have had them since 2019:
//   IMG_1.mp4.json, and since 2024 IMG_1.mp4.supplemental-metadata.json
//   IMG_1(2).mp4 has IMG_1.mp4(2).json or IMG_1.mp4.supplemental-metadata(2).json
//   IMG_1-edited.mp4 has none of its own, nor has the video of a live photo, IMG_1.mp4 of IMG_1.HEIC
// Before `.json` and the number, there are at most 46 characters, so any end of that can be missing.

/** What a sidecar says of a video. */
export interface Sidecar {
  /** Milliseconds since 1970; null if it has no time. */
  takenAt: number | null;
  /** Its caption; '' if there's none. */
  description: string;
  location: VideoHeader['location'];
}

/**
 * The sidecars of a Takeout, which may be spread over several ZIPs, by folder and then by number and name. Takeouts of
 * several accounts have the same folders, so there may be more than one.
 */
export type SidecarIndex = ReadonlyMap<string, ReadonlyMap<string, readonly SourceFile[]>>;

const SUFFIX = '.supplemental-metadata';
const MAX_STEM = 46;
/** Google counts characters in another way if they aren't Latin. */
const MIN_TRUNCATED = 44;
const PHOTO_EXTENSIONS = ['HEIC', 'heic', 'JPG', 'jpg', 'JPEG', 'jpeg', 'PNG', 'png', 'DNG', 'dng'];
/** What Google Photos adds to the name of an edited copy, in the languages that people have reported. */
const EDITED =
  /-(?:edited|bearbeitet|modifié|editado|modificato|bewerkt|edytowane|redigerad|muokattu|編集済み|편집됨)(?=\.|$)/iu;
/** QuickTime's epoch, which is the time of clocks that were never set. */
const EPOCH_1904 = Date.UTC(1904, 0, 1);
/** Real ones have a few hundred bytes, and captions are short. Inflating others would take long. */
const MAX_SIDECAR_BYTES = 1_000_000;
const NUMBER = /^(.*)\((\d+)\)(\.[^.()]*)?$/su;

const key = (stem: string, number: string) => `${number}/${stem}`;

/** Returns a file's folder. Each ZIP of a Takeout may have been unpacked into a folder of its own, which is left out. */
export function exportFolderOf({ path }: SourceFile): string {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const at = `/${folder}/`.indexOf('/Takeout/');
  return at < 0 ? folder : folder.slice(at);
}

/** Splits off the number that makes a name unique. */
function splitNumber(name: string): { bare: string; number: string } {
  const match = NUMBER.exec(name);
  return match
    ? { bare: `${match[1]}${match[3] ?? ''}`, number: match[2] ?? '' }
    : { bare: name, number: '' };
}

/** Indexes everything that may be a sidecar by its name. Nothing is read. */
export function indexSidecars(files: readonly SourceFile[]): SidecarIndex {
  const index = new Map<string, Map<string, SourceFile[]>>();
  for (const file of files) {
    if (!/\.json$/i.test(file.name) || file.size > MAX_SIDECAR_BYTES) continue;
    const stem = file.name.slice(0, -'.json'.length);
    const { bare, number } = splitNumber(stem);
    const folder = index.get(exportFolderOf(file)) ?? new Map<string, SourceFile[]>();
    index.set(exportFolderOf(file), folder);
    for (const one of new Set([key(stem, ''), key(bare, number)])) {
      const known = folder.get(one);
      if (known) known.push(file);
      else folder.set(one, [file]);
    }
  }
  return index;
}

/** Lists what the sidecar of a file may be called, without `.json` and the number, the most likely first. */
function listStems(name: string): string[] {
  const full = name + SUFFIX;
  const stems = [name];
  for (let length = full.length; length > name.length; length -= 1) stems.push(full.slice(0, length));
  // A name that came from a Mac may have been cut off while its accents were characters of their own.
  for (const written of new Set([name, name.normalize('NFD')])) {
    for (let length = Math.min(written.length - 1, MAX_STEM + 1); length >= MIN_TRUNCATED; length -= 1) {
      stems.push(written.slice(0, length).normalize('NFC'));
    }
  }
  return stems;
}

/** Lists the names of the files that a video's sidecar may belong to: its own, its original's, its live photo's. */
function listOwners(name: string): string[] {
  const original = name.replace(EDITED, '');
  const base = original.replace(/\.[^.]*$/, '');
  const photos = PHOTO_EXTENSIONS.flatMap((extension) => [
    `${base}.${extension}`,
    `${original}.${extension}`,
  ]);
  return [...new Set([name, original, ...photos])];
}

/** Whether two files are in the same folder of the same ZIP. */
const areTogether = (one: SourceFile, other: SourceFile) =>
  one.archive === other.archive &&
  one.path.slice(0, -one.name.length) === other.path.slice(0, -other.name.length);

/** Finds a video's sidecar, next to it if possible. @returns null if there's none */
function findSidecar(index: SidecarIndex, video: SourceFile): SourceFile | null {
  const folder = index.get(exportFolderOf(video));
  if (!folder) return null;
  const { bare, number } = splitNumber(video.name);
  const own = { name: video.name, number: '' };
  // The person's own file may have had a number, too.
  const names = number ? [own, { name: bare, number }, { name: video.name, number }] : [own];
  for (const { name, number: suffix } of names) {
    for (const owner of listOwners(name)) {
      for (const stem of listStems(owner)) {
        const found = folder.get(key(stem, suffix));
        if (found) return found.find((file) => areTogether(file, video)) ?? found[0] ?? null;
      }
    }
  }
  return null;
}

type Place = Partial<Record<'latitude' | 'longitude', unknown>>;

interface Json {
  /** The name that the file had before. */
  title?: unknown;
  photoTakenTime?: { timestamp?: unknown };
  description?: unknown;
  geoData?: Place;
  geoDataExif?: Place;
}

/** Zero and zero means that Google doesn't know. */
function placeOf(place: Place | undefined): VideoHeader['location'] {
  const [latitude, longitude] = [place?.latitude, place?.longitude];
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return null;
  const isPlace = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isPlace && (latitude !== 0 || longitude !== 0) ? { latitude, longitude } : null;
}

/** Google replaces characters in names, and may cut accents off, so only letters and digits are compared. */
const comparable = (name: string) => name.normalize('NFD').replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Whether a sidecar's title is a video's name. Names that are cut off may be those of several videos. */
function isTitleOf(title: unknown, video: SourceFile): boolean {
  const base = splitNumber(video.name.replace(EDITED, '')).bare.replace(/\.[^.]*$/, '');
  if (typeof title !== 'string' || base.length < MIN_TRUNCATED - SUFFIX.length) return true;
  return comparable(title).startsWith(comparable(base));
}

/**
 * Finds and reads a video's sidecar.
 * @param now milliseconds since 1970
 * @returns null if there's none, or if it's another kind of file, damaged, or another video's
 */
export async function readSidecar(
  index: SidecarIndex,
  video: SourceFile,
  now: number,
): Promise<Sidecar | null> {
  const file = findSidecar(index, video);
  const json = file && ((await readJson(file)) as Json | null);
  if (!json?.photoTakenTime || typeof json.photoTakenTime !== 'object' || !isTitleOf(json.title, video))
    return null;
  const takenAt = Number(json.photoTakenTime.timestamp ?? Number.NaN) * 1000;
  // People date scans from before 1970 themselves.
  const isTaken = isPlausibleTime(takenAt, now) || (takenAt < 0 && takenAt > EPOCH_1904);
  return {
    takenAt: isTaken ? takenAt : null,
    description: typeof json.description === 'string' ? json.description.trim() : '',
    location: placeOf(json.geoData) ?? placeOf(json.geoDataExif),
  };
}
