import Link from 'next/link';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import styles from './member-links.module.css';

const LINKS = [
  { href: '/upload', name: 'upload', text: 'Upload', keys: 'R', within: /^\/upload/ },
  { href: '/journals', name: 'journal', text: 'Journal', keys: undefined, within: /^\/(journals|entry)/ },
  { href: '/settings', name: 'settings', text: 'Settings', keys: undefined, within: /^\/settings/ },
] as const;

/** The icon of each link. Drawn on the server, so that they aren't in the scripts of every page. */
export type LinkIcons = Readonly<Record<(typeof LINKS)[number]['name'], ReactNode>>;

/**
 * Links to Upload, Journal and Settings, in the top bar or, on phones, in a bar at the bottom.
 * @param prefetch false if the server can't be asked for those pages
 */
export function MemberLinks({ icons, prefetch = null }: { icons: LinkIcons; prefetch?: false | null }) {
  const path = usePathname();
  return (
    <nav aria-label="Main" className={styles.links}>
      {LINKS.map(({ href, name, text, keys, within }) => (
        <Link
          key={href}
          href={href}
          prefetch={prefetch}
          aria-keyshortcuts={keys}
          aria-current={within.test(path) ? 'page' : undefined}
        >
          <span className={styles.icon}>{icons[name]}</span>
          {text}
        </Link>
      ))}
    </nav>
  );
}
