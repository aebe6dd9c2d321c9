import { type CalendarDate, isWithinPast100Years, toIso } from '@/lib/journal/entries/shared/calendar';
import { findOffset } from './clip-offset';
import {
  type DateSource,
  describeAmbiguity,
  type Finding,
  findWarning,
  isSame,
  type Reader,
  todayOf,
  WARNINGS,
} from './date-finding';
import { findDateInFolders, findTimeInName } from './date-in-path';
import {
  approximateInstant,
  clockTime,
  DAY_MS,
  dateOfClock,
  instantOf,
  isPlausibleTime,
  type LocalTime,
  offsetAt,
} from './local-time';
import { checkTimeZone } from './unknown-zone';
import type { VideoHeader } from './video-header';

/** When a clip was recorded, and how that's known. */
export interface ClipDate {
  /** `YYYY-MM-DD`; null if nothing tells. */
  date: string | null;
  source: DateSource | null;
  /** A sentence for the person, if they should check the date. */
  warning: string | null;
  /** Other dates that were found, by their sources. */
  others: { date: string; source: DateSource }[];
  /** Milliseconds since 1970; null if the time of day isn't known. */
  startedAt: number | null;
}

/** What a file that describes a clip says. */
export interface SidecarDate {
  /** Milliseconds since 1970. */
  instant: number;
  /** An IANA name; null if it doesn't say. */
  zone: string | null;
  /** Whether a person decided that the clip belongs to this day, whenever it was recorded. */
  isChosen: boolean;
}

/** Everything that may tell when a clip was recorded. */
export interface DateEvidence {
  sidecar: SidecarDate | null;
  header: VideoHeader;
  /** Where it was recorded: by its sidecar, or else by its header. */
  location: VideoHeader['location'];
  /** With slashes. */
  path: string;
  /** Milliseconds since 1970. */
  lastModified: number | null;
}

const findingOf = (source: DateSource, date: CalendarDate, startedAt: number | null): Finding => ({
  source,
  date,
  alternatives: [],
  warning: null,
  startedAt,
});

/** Returns a finding by a clock: its date is certain, its moment only as far as the offset is. */
function byClock(source: DateSource, local: LocalTime, zone: string): Finding {
  const startedAt = local.offset === null ? instantOf(zone, clockTime(local)) : approximateInstant(local);
  return findingOf(source, local.date, local.seconds === null ? null : startedAt);
}

/** Returns a finding by a moment, whose date depends on the time zone. */
function byMoment(
  source: DateSource,
  instant: number,
  evidence: DateEvidence,
  names: Names,
  reader: Reader,
): Finding {
  const { offset, margin } = findOffset(instant, evidence, names.clocks, reader.zone);
  const at = (minutes: number) => dateOfClock(instant + minutes * 60_000);
  const finding = findingOf(source, at(offset), instant);
  const alternatives = [at(offset - margin), at(offset + margin)].filter(
    (other) => !isSame(other, finding.date),
  );
  if (alternatives.length === 0) return finding;
  // A name has the date that the clock showed, which is one of those that are possible here.
  const settled = names.dates.find((one) =>
    [finding.date, ...alternatives].some((possible) => isSame(possible, one)),
  );
  return settled ? { ...finding, date: settled } : { ...finding, alternatives, warning: WARNINGS.zone };
}

/** What the path says. Apart from `name` and `folder`, that's dates and times that can be read in one way only. */
type Names = ReturnType<typeof readNames>;

function readNames(path: string) {
  const [name, folder] = [findTimeInName(path.slice(path.lastIndexOf('/') + 1)), findDateInFolders(path)];
  const sure = [name, folder].filter((found) => found !== null && found.alternative === null);
  const clocks = sure.flatMap((found) => (found && 'local' in found.time ? [found.time.local] : []));
  return { name, folder, clocks, dates: clocks.map(({ date }) => date) };
}

function byName(
  source: 'name' | 'folder',
  evidence: DateEvidence,
  names: Names,
  reader: Reader,
): Finding | null {
  const found = names[source];
  if (!found) return null;
  if ('instant' in found.time) return byMoment(source, found.time.instant, evidence, names, reader);
  const { alternative, time } = found;
  const finding = byClock(source, time.local, reader.zone);
  if (!alternative) return found.isNumber ? { ...finding, warning: WARNINGS.number } : finding;
  return { ...finding, alternatives: [alternative], warning: describeAmbiguity(source, alternative) };
}

/** Returns a finding by a moment in a zone that's known; null if it isn't. */
function inZone(source: DateSource, instant: number, zone: string | null): Finding | null {
  const offset = zone === null ? null : offsetAt(zone, instant);
  if (offset === null) return null;
  return findingOf(source, dateOfClock(instant + offset * 60_000), instant);
}

const startOfDay = (date: CalendarDate) => clockTime({ date, seconds: null });

/** Returns what each source says, in their order. A last change of today or yesterday says nothing. */
function findAll(evidence: DateEvidence, reader: Reader): Finding[] {
  const { sidecar, header, path, lastModified } = evidence;
  const names = readNames(path);
  const byHeader = () => {
    if (header.local) return byClock('metadata', header.local, reader.zone);
    if (header.createdAt === null) return null;
    const utc = byMoment('metadata', header.createdAt, evidence, names, reader);
    return checkTimeZone(utc, header.createdAt, evidence, names.dates, reader);
  };
  const today = todayOf(reader);
  const changed =
    lastModified !== null && isPlausibleTime(lastModified, reader.now)
      ? inZone('modified', lastModified, reader.zone)
      : null;
  // Copying a file changes it.
  const isCopied = changed !== null && startOfDay(changed.date) >= startOfDay(today) - DAY_MS;
  const all = [
    sidecar &&
      (inZone('sidecar', sidecar.instant, sidecar.zone) ??
        byMoment('sidecar', sidecar.instant, evidence, names, reader)),
    byHeader(),
    byName('name', evidence, names, reader),
    byName('folder', evidence, names, reader),
    changed && !isCopied ? { ...changed, warning: WARNINGS.modified, startedAt: null } : null,
  ];
  return all.filter((finding) => finding !== null).filter(({ date }) => isWithinPast100Years(date, today));
}

/**
 * Decides when a clip was recorded. Its sidecar comes first, then its metadata, its name, its folders, and its last
 * change. Sources that disagree by a day or more give a warning, and so does a date that depends on an unknown time
 * zone. A last change of today or yesterday is no date, since copying files changes it.
 */
export function resolveClipDate(evidence: DateEvidence, reader: Reader): ClipDate {
  const [first, ...rest] = findAll(evidence, reader);
  if (!first) {
    return { date: null, source: null, warning: WARNINGS.none, others: [], startedAt: null };
  }
  const others: ClipDate['others'] = [];
  const seen = new Set([toIso(first.date)]);
  for (const { source, date, alternatives } of [first, ...rest]) {
    for (const other of [date, ...alternatives].map(toIso)) {
      if (!seen.has(other)) others.push({ date: other, source });
      seen.add(other);
    }
  }
  return {
    date: toIso(first.date),
    source: first.source,
    warning: findWarning(first, rest, evidence.sidecar?.isChosen ?? false, reader),
    others,
    startedAt: first.startedAt,
  };
}
