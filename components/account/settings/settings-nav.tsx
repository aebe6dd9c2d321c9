import {
  ChevronRight,
  CreditCard,
  Gauge,
  History,
  type IconNode,
  LogOut,
  MonitorSmartphone,
  Package,
  ShieldCheck,
  SlidersHorizontal,
  Tag,
  Trash2,
  UserRound,
  Video,
} from 'lucide';
import Link from 'next/link';
import { type ReactNode, useId } from 'react';
import { Icon } from '@/components/ui/icon';
import { SettingsLink } from './settings-link';
import styles from './settings-nav.module.css';
import { SETTINGS_PAGES, type SettingsPage } from './settings-pages';

type PageValues = Partial<Record<SettingsPage, string>>;

const ICONS: Record<SettingsPage, IconNode> = {
  profile: UserRound,
  preferences: SlidersHorizontal,
  security: ShieldCheck,
  video: Video,
  tags: Tag,
  memories: History,
  data: Package,
  trash: Trash2,
  device: MonitorSmartphone,
  plan: Gauge,
  billing: CreditCard,
};

const GROUPS: { name: string; pages: SettingsPage[] }[] = [
  { name: 'You', pages: ['profile', 'preferences', 'security', 'video'] },
  { name: 'Your journal', pages: ['tags', 'memories', 'data', 'trash', 'device'] },
  { name: 'Your plan', pages: ['plan', 'billing'] },
];

function Row({ icon, value, children }: { icon: IconNode; value?: ReactNode; children: ReactNode }) {
  return (
    <li className={styles.row}>
      <Icon of={icon} aria-hidden="true" className={styles.icon} />
      {children}
      {value}
      <Icon of={ChevronRight} aria-hidden="true" className={styles.chevron} />
    </li>
  );
}

function Group({ name, pages, values }: (typeof GROUPS)[number] & { values: PageValues }) {
  const id = useId();
  const renderValue = (page: SettingsPage) =>
    values[page] && (
      <span id={`${id}-${page}`} className={styles.value}>
        {values[page]}
      </span>
    );
  return (
    <div className={styles.group}>
      <p id={id} className={styles.name}>
        {name}
      </p>
      <ul aria-labelledby={id} className={styles.list}>
        {pages.map((page) => (
          <Row key={page} icon={ICONS[page]} value={renderValue(page)}>
            <SettingsLink
              page={page}
              aria-describedby={values[page] ? `${id}-${page}` : undefined}
              className={styles.link}
            >
              {SETTINGS_PAGES[page]}
            </SettingsLink>
          </Row>
        ))}
      </ul>
    </div>
  );
}

/**
 * The pages of the settings as links: a column next to the open one or, on phones, a page of its own.
 * @param values what's set on each page, which only phones show
 */
export function SettingsNav({ values = {} }: { values?: PageValues }) {
  return (
    <nav aria-label="Settings" className={styles.nav}>
      {GROUPS.map((group) => (
        <Group key={group.name} {...group} values={values} />
      ))}
      <div className={styles.group}>
        <ul className={styles.list}>
          <Row icon={LogOut}>
            <Link href="/logout" prefetch={false} className={styles.link}>
              Logout
            </Link>
          </Row>
        </ul>
      </div>
    </nav>
  );
}
