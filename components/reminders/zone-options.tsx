import { useEffect, useState } from 'react';
import { formatPlace, groupTimeZones } from './time-zones';

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
