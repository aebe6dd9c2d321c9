import { instantOf } from '@/components/capture/uploads/video-file/local-time';
import {
  type SourceFile,
  sourceOfFile,
  sourcesOfZip,
} from '@/components/portability/imports/sources/source-file';
import { aviClip, matroskaClip, mp4Clip } from './media/small-clips';
import { packedZip } from './packed-zip';

/** The time zone of the person who imports the clips. */
export const HOME = 'America/New_York';
/** When they do: March 1, 2026. */
export const NOW = Date.UTC(2026, 2, 1, 17);

/** When a clip was really recorded, and what knows it. */
interface Truth {
  kind: string;
  /** `YYYY-MM-DD` */
  date: string;
}

interface Moment {
  date: string;
  /** HH:MM:SS */
  time: string;
  instant: number;
  /** +0900 */
  offset: string;
  location: { latitude: number; longitude: number };
}

const PLACES = [
  { zone: 'Asia/Tokyo', latitude: 35.7, longitude: 139.7 },
  { zone: 'Europe/Berlin', latitude: 52.5, longitude: 13.4 },
  { zone: 'Asia/Kolkata', latitude: 28.6, longitude: 77.2 },
  { zone: 'Pacific/Honolulu', latitude: 21.3, longitude: -157.9 },
  { zone: 'America/Los_Angeles', latitude: 34, longitude: -118.2 },
  { zone: 'Europe/Madrid', latitude: 42.9, longitude: -9.2 },
  { zone: 'Asia/Urumqi', latitude: 43.8, longitude: 87.6 },
  { zone: 'Pacific/Apia', latitude: -13.8, longitude: -171.8 },
  { zone: HOME, latitude: 40.7, longitude: -74 },
] as const;
/** As far from home as a clock may be that nothing tells of. */
const NEAR_HOME = [HOME, 'America/Chicago', 'America/Los_Angeles', 'America/Halifax', HOME];
/** Two of six are close to midnight. */
const TIMES = ['00:07:11', '09:30:05', '14:00:59', '12:15:00', '23:51:40', '17:45:30'];

const pad = (value: number, length = 2) => String(value).padStart(length, '0');

function momentAt(index: number, zone: string): Moment {
  const day = new Date(Date.UTC(2008, 0, 3 + index * 13));
  const date = day.toISOString().slice(0, 10);
  const time = TIMES[index % TIMES.length] ?? '';
  const clock = Date.parse(`${date}T${time}Z`);
  const instant = instantOf(zone, clock);
  const minutes = Math.round((clock - instant) / 60_000);
  const offset = `${minutes < 0 ? '-' : '+'}${pad(Math.floor(Math.abs(minutes) / 60))}${pad(Math.abs(minutes) % 60)}`;
  const { latitude, longitude } = PLACES.find((place) => place.zone === zone) ?? PLACES[0];
  return { date, time, instant, offset, location: { latitude, longitude } };
}

/** Names with the time of a recording, as phones and programs write them. */
const NAMES: ((date: string, time: string, index: number) => string)[] = [
  (date, time) => `VID_${date.replaceAll('-', '')}_${time.replaceAll(':', '')}.mp4`,
  (date, time) => `${date} ${time.replaceAll(':', '.')}.mp4`,
  (date, _, index) => `VID-${date.replaceAll('-', '')}-WA${pad(index, 4)}.mp4`,
  (date, time) => `signal-${date}-${time.replaceAll(':', '')}.mp4`,
  (date) => `Birthday ${date.split('-').toReversed().join('.')}.mp4`,
];
const FOLDERS: ((date: string, index: number) => string)[] = [
  (date) => `${date} Beach/clip.mp4`,
  (date) => `${date.replaceAll('-', '/')}/clip.mp4`,
  (date, index) => `set ${index}/${date.slice(0, 7)}/${date.slice(8)} Beach.mp4`,
  (date, index) => `set ${index}/${date.slice(0, 4)}/${date.slice(5, 7)} Month/${date.slice(8)}.mp4`,
];

type Write = (path: string, content: Buffer, lastModified?: number) => void;

/** Writes a clip of a kind to a path of its own. @returns the path */
type Kind = (index: number, moment: Moment, write: Write) => string;

const sidecar = (moment: Moment, hasPlace: boolean, title: string) =>
  Buffer.from(
    JSON.stringify({
      title,
      description: '',
      photoTakenTime: { timestamp: String(moment.instant / 1000) },
      geoData: hasPlace ? moment.location : { latitude: 0, longitude: 0 },
    }),
  );

const TAKEOUT = 'Takeout/Google Photos/Photos';
/** Every other clip has its place, and was recorded anywhere. */
const hasPlace = (index: number) => index % 2 === 1;

const KINDS: Record<string, { count: number; zone: (index: number) => string; write: Kind }> = {
  sidecar: {
    count: 50,
    zone: anywhereWithPlace,
    write(index, moment, write) {
      const path = `${TAKEOUT}/MOV${pad(index, 4)}.mp4`;
      write(`${path}.json`, sidecar(moment, hasPlace(index), `MOV${pad(index, 4)}.mp4`));
      write(path, mp4Clip({ createdAt: moment.instant }));
      return path;
    },
  },
  'new sidecar': {
    count: 50,
    zone: anywhereWithPlace,
    write(index, moment, write) {
      const title = `A long name of a summer by the sea (${index}).mp4`;
      const name = `A long name of a summer by the sea${index > 0 ? `(${index})` : ''}.mp4`;
      const stem = 'A long name of a summer by the sea.mp4.supplemental-metadata'.slice(0, 46);
      write(
        `${TAKEOUT}/${stem}${index > 0 ? `(${index})` : ''}.json`,
        sidecar(moment, hasPlace(index), title),
      );
      write(`${TAKEOUT}/${name}`, mp4Clip({}));
      return `${TAKEOUT}/${name}`;
    },
  },
  'creation date': {
    count: 50,
    zone: anywhere,
    write(index, moment, write) {
      const creationDate = `${moment.date}T${moment.time}${moment.offset}`;
      const path = `apple/IMG_${pad(index, 4)}.MOV`;
      // It was exported a year later.
      write(path, mp4Clip({ creationDate, createdAt: moment.instant + 31_536_000_000 }));
      return path;
    },
  },
  'header and name': {
    count: 50,
    zone: anywhere,
    write(index, moment, write) {
      const path = `android ${index}/${moment.date.replaceAll('-', '')}_${moment.time.replaceAll(':', '')}.mp4`;
      // Some phones write when the recording ended.
      write(path, mp4Clip({ createdAt: moment.instant + (index % 2) * 90_000, seconds: 90 }));
      return path;
    },
  },
  header: {
    count: 50,
    zone: nearHome,
    write(index, { instant }, write) {
      write(`camera/MVI_${pad(index, 4)}.MP4`, mp4Clip({ createdAt: instant }));
      return `camera/MVI_${pad(index, 4)}.MP4`;
    },
  },
  Matroska: {
    count: 50,
    zone: nearHome,
    write(index, { instant, date, time, offset }, write) {
      const creationDate = index % 2 === 0 ? undefined : `${date}T${time}${offset}`;
      write(`matroska/${index}.mkv`, matroskaClip({ createdAt: instant, creationDate }));
      return `matroska/${index}.mkv`;
    },
  },
  AVI: {
    count: 50,
    zone: anywhere,
    write(index, { date, time }, write) {
      const day = new Date(`${date}T${time}Z`).toUTCString();
      const [week = '', number, month] = day.split(' ');
      const ctime = `${week.slice(0, 3).toUpperCase()} ${month?.toUpperCase()} ${number} ${time} ${date.slice(0, 4)}`;
      write(`avi/MVI_${index}.AVI`, aviClip({ creationDate: index % 2 ? ctime : `${date} ${time}` }));
      return `avi/MVI_${index}.AVI`;
    },
  },
  name: {
    count: 50,
    zone: anywhere,
    write(index, { date, time }, write) {
      const path = `names ${index}/${NAMES[index % NAMES.length]?.(date, time, index)}`;
      write(path, mp4Clip({}));
      return path;
    },
  },
  folder: {
    count: 50,
    zone: anywhere,
    write(index, { date }, write) {
      const path = FOLDERS[index % FOLDERS.length]?.(date, index) ?? '';
      write(path, mp4Clip({}));
      return path;
    },
  },
  'last change': {
    count: 10,
    zone: nearHome,
    write(index, { instant }, write) {
      const path = `copied/${index} holiday.mp4`;
      // Half of them were copied today, or yesterday.
      write(path, mp4Clip({}), index % 2 ? instant : NOW - index * 10_000_000);
      return path;
    },
  },
};

function anywhere(index: number): string {
  return PLACES[index % PLACES.length]?.zone ?? HOME;
}
function nearHome(index: number): string {
  return NEAR_HOME[index % NEAR_HOME.length] ?? HOME;
}
function anywhereWithPlace(index: number): string {
  return hasPlace(index) ? anywhere(index) : nearHome(index);
}

const DAY_ONE_CLIPS = 40;

async function generateDayOne(truths: Map<string, Truth>): Promise<SourceFile[]> {
  const moments = Array.from({ length: DAY_ONE_CLIPS }, (_, index) => ({
    ...momentAt(index, anywhere(index)),
    ...{ zone: anywhere(index), md5: `md5of${index}` },
  }));
  for (const { md5, date } of moments) truths.set(`videos/${md5}.mp4`, { kind: 'Day One', date });
  const entries = moments.map(({ md5, instant, zone }) => ({
    ...{ uuid: md5, creationDate: new Date(instant).toISOString(), timeZone: zone, text: 'A day' },
    videos: [{ md5, type: 'mp4', identifier: md5, orderInEntry: 0 }],
  }));
  const json = Buffer.from(JSON.stringify({ metadata: { version: '1.0' }, entries }));
  const videos = moments.map(({ md5, instant }) => ({
    ...{ name: `videos/${md5}.mp4`, content: mp4Clip({ createdAt: instant }), method: 8 },
  }));
  const zip = packedZip([{ name: 'Journal.json', content: json, method: 8 }, ...videos]);
  return sourcesOfZip(new File([new Uint8Array(zip)], 'Day One.zip'));
}

/**
 * Generates 500 clips of eleven kinds with everything that tells when they were recorded, in nine time zones, many of
 * them close to midnight. All but those that have nothing else were last changed when they were copied, today.
 * @returns the files, and by their paths what's true
 */
export async function generateClips(): Promise<{ files: SourceFile[]; truths: Map<string, Truth> }> {
  const truths = new Map<string, Truth>();
  const files: SourceFile[] = [];
  const write: Write = (path, content, lastModified = NOW - 3_600_000) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    files.push(sourceOfFile(new File([new Uint8Array(content)], name, { lastModified }), path));
  };
  for (const [kind, { count, zone, write: writeClip }] of Object.entries(KINDS)) {
    for (let index = 0; index < count; index += 1) {
      const moment = momentAt(index, zone(index));
      truths.set(writeClip(index, moment, write), { kind, date: moment.date });
    }
  }
  return { files: [...files, ...(await generateDayOne(truths))], truths };
}
