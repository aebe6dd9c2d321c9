import type { SidecarDate } from '@/components/capture/uploads/video-file/clip-date';
import type { VideoHeader } from '@/components/capture/uploads/video-file/video-header';
import { MAX_TITLE, shorten, titleOfText, toTagNames } from './clip-text';
import { readJson, type SourceFile } from './source-file';

/** What describes a clip besides its own file. */
export interface ClipDescription {
  sidecar: SidecarDate | null;
  location: VideoHeader['location'];
  /** '' if there's none. */
  title: string;
  /** The rest of the text; '' if there's none. */
  note: string;
  tags: string[];
  /** Null if it isn't known. */
  seconds: number | null;
}

/** A video in a Day One journal, with what its entry says. */
export interface DayOneVideo {
  /** Null if the export doesn't have it. */
  file: SourceFile | null;
  /** Where it should be. */
  path: string;
  description: ClipDescription;
}

type Video = Partial<Record<'md5' | 'identifier' | 'type' | 'orderInEntry' | 'duration', unknown>>;

type Entry = Partial<Record<'creationDate' | 'timeZone' | 'text' | 'tags' | 'videos', unknown>>;

const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && 'uuid' in value && 'creationDate' in value;

const isVideo = (value: unknown): value is Video => typeof value === 'object' && value !== null;

const asText = (value: unknown) => (typeof value === 'string' ? value : '');
const order = ({ orderInEntry }: Video) => (typeof orderInEntry === 'number' ? orderInEntry : 0);
const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

/** Paths are compared within one ZIP, as several exports have the same ones. */
const key = (archive: string | null, path: string) => `${archive ?? ''}/${path}`.toLowerCase();

/** Returns an entry's text without references to its photos and videos, and without Day One's escapes. */
const plainText = (text: string) =>
  text
    .replaceAll(/!\[[^\]]{0,500}\]\(dayone-moment:[^)]{0,500}\)/g, '')
    .replaceAll(/\\([\\`*_{}[\]()#+\-.!~>|])/g, '$1')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();

const numbered = (title: string, number: number) => {
  const suffix = ` (${number})`;
  return shorten(title, MAX_TITLE - suffix.length) + suffix;
};

function videosOf(entry: Entry, json: SourceFile, files: ReadonlyMap<string, SourceFile>): DayOneVideo[] {
  const videos = (Array.isArray(entry.videos) ? entry.videos.filter(isVideo) : [])
    .toSorted((one, other) => order(one) - order(other))
    .map((video) => {
      const name = asText(video.md5) || asText(video.identifier);
      const fileName = `${name}.${asText(video.type) || 'mp4'}`.normalize('NFC');
      const path = `${folderOf(json.path)}videos/${fileName}`;
      return { video, path, file: files.get(key(json.archive, path)) ?? null };
    });
  const created = Date.parse(asText(entry.creationDate));
  const { title, rest } = titleOfText(plainText(asText(entry.text)));
  const tags = Array.isArray(entry.tags) ? entry.tags.filter((tag) => typeof tag === 'string') : [];
  const zone = asText(entry.timeZone) || null;
  const sidecar = Number.isNaN(created) ? null : { instant: created, zone, isChosen: true };
  // The rest of the text belongs to the entry, which has it once.
  const withNote = videos.findIndex(({ file }) => file !== null);
  return videos.map(({ video, path, file }, index) => ({
    file,
    path,
    description: {
      ...{ sidecar, location: null, tags: toTagNames(tags) },
      title: title && index > 0 ? numbered(title, index + 1) : title,
      note: index === withNote ? rest : '',
      seconds: typeof video.duration === 'number' && video.duration > 0 ? video.duration : null,
    },
  }));
}

/**
 * Reads Day One's exports among the files: a JSON file for each journal, with a folder of videos next to it.
 * @returns the videos, and how many entries have none; null if there are no exports
 */
export async function readDayOne(files: readonly SourceFile[]) {
  const byPath = new Map(files.map((file) => [key(file.archive, file.path), file]));
  const media = new Set(
    files
      .filter(({ path }) => /(?:^|\/)(?:videos|photos)\/[^/]+$/.test(path))
      .map(({ archive, path }) => key(archive, folderOf(folderOf(path).slice(0, -1)))),
  );
  const found = { videos: [] as DayOneVideo[], withoutVideo: 0 };
  let journals = 0;
  for (const file of files) {
    if (!/\.json$/i.test(file.name)) continue;
    const isTop = file.archive !== null && !file.path.includes('/');
    if (!isTop && !media.has(key(file.archive, folderOf(file.path)))) continue;
    const json = (await readJson(file)) as { entries?: unknown } | null;
    const entries = Array.isArray(json?.entries) ? json.entries.filter(isEntry) : [];
    if (entries.length > 0) journals += 1;
    for (const entry of entries) {
      const videos = videosOf(entry, file, byPath);
      for (const video of videos) found.videos.push(video);
      if (videos.length === 0) found.withoutVideo += 1;
    }
  }
  return journals > 0 ? found : null;
}
