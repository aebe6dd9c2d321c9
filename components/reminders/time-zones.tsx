import { useEffect, useState } from 'react';

/** Returns the browser's time zone, a name of the IANA database. */
export const browserTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** Returns a zone's place in words: `America/Argentina/Buenos_Aires` is "Buenos Aires, Argentina". */
export function formatPlace(timeZone: string): string {
  const [region = '', ...places] = timeZone.replaceAll('_', ' ').split('/');
  return places.reverse().join(', ') || region;
}

/** Returns time zones by region, in the order of their places. @param also a zone that may not be among them */
export function groupTimeZones(
  timeZones: readonly string[],
  also: string,
): [region: string, zones: string[]][] {
  const groups = new Map<string, string[]>();
  for (const zone of new Set([...timeZones, also])) {
    const region = zone.includes('/') ? (zone.split('/', 1)[0] ?? '') : 'Other';
    groups.set(region, [...(groups.get(region) ?? []), zone]);
  }
  return [...groups].map(([region, zones]) => [
    region,
    zones.sort((a, b) => formatPlace(a).localeCompare(formatPlace(b))),
  ]);
}

/** Returns an hour as people read it: 20 is "8:00 PM". */
export const formatHour = (hour: number): string => `${hour % 12 || 12}:00 ${hour < 12 ? 'AM' : 'PM'}`;

/** The options of a select for a time zone, by region. @param selected the zone that has one in the first HTML */
export function ZoneOptions({ selected }: { selected: string }) {
  // All of them only in the browser: servers know slightly different ones.
  const [all, setAll] = useState<readonly string[]>([]);
  useEffect(() => setAll(Intl.supportedValuesOf('timeZone')), []);
  return groupTimeZones(all, selected).map(([region, zones]) => (
    <optgroup key={region} label={region}>
      {zones.map((zone) => (
        <option key={zone} value={zone}>
          {formatPlace(zone)}
        </option>
      ))}
    </optgroup>
  ));
}
