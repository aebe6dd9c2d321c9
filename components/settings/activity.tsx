import { LocalTime } from '@/components/ui/local-time';
import type { ActivityEvent } from '@/lib/audit/contract';

/** What has happened at the door of the account, to look through. */
export function Activity({ events }: { events: ActivityEvent[] }) {
  if (events.length === 0) return <p className="text-15 text-ink-2">Nothing has happened yet.</p>;
  return (
    <ul className="flex flex-col">
      {events.map(({ id, what, at, device, network }) => (
        <li key={id} className="border-b border-line py-3 last:border-b-0">
          <p className="text-15">{what}</p>
          <p className="text-14 text-ink-3">
            <LocalTime iso={at} />
            {device && ` · ${device}`}
            {network && ` · ${network}`}
          </p>
        </li>
      ))}
    </ul>
  );
}
