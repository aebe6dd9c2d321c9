import Link from 'next/link';

const LINK =
  'flex min-h-11 items-center rounded-12 px-3.5 text-15 font-medium text-ink-2 hover:bg-sunken hover:text-ink aria-[current]:bg-accent-soft aria-[current]:text-accent-ink';

/** The settings sidebar. Its tabs are links, so each has its own address. */
export function SettingsNav({
  tabs,
  current,
}: {
  tabs: readonly { id: string; label: string }[];
  current: string;
}) {
  return (
    <nav aria-label="Settings" className="md:sticky md:top-24 md:self-start">
      <ul className="flex flex-wrap gap-1 md:flex-col">
        {tabs.map(({ id, label }) => (
          <li key={id}>
            <Link
              href={`/settings?tab=${id}`}
              aria-current={id === current ? 'page' : undefined}
              className={LINK}
            >
              {label}
            </Link>
          </li>
        ))}
        <li>
          <Link href="/logout" prefetch={false} className={LINK}>
            Logout
          </Link>
        </li>
      </ul>
    </nav>
  );
}
