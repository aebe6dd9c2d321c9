'use client';

import { BookOpen, Plus, Settings } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import styles from './member-links.module.css';

const LINKS = [
  { href: '/upload', text: 'Upload', keys: 'R', Icon: Plus, within: /^\/upload/ },
  { href: '/journals', text: 'Journal', Icon: BookOpen, within: /^\/(journals|entry)/ },
  { href: '/settings', text: 'Settings', Icon: Settings, within: /^\/settings/ },
];

/** Links to Upload, Journal and Settings, in the top bar or, on phones, in a bar at the bottom. */
export function MemberLinks() {
  const path = usePathname();
  return (
    <nav aria-label="Main" className={styles.links}>
      {LINKS.map(({ href, text, keys, Icon, within }) => (
        <Link
          key={href}
          href={href}
          aria-keyshortcuts={keys}
          aria-current={within.test(path) ? 'page' : undefined}
        >
          <span className={styles.icon}>
            <Icon aria-hidden="true" />
          </span>
          {text}
        </Link>
      ))}
    </nav>
  );
}
