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

function PageRow({ page, value }: { page: SettingsPage; value: string | undefined }) {
  const valueId = useId();
  const shown = value && (
    <span id={valueId} className={styles.value}>
      {value}
    </span>
  );
  return (
    <Row icon={ICONS[page]} value={shown}>
      <SettingsLink page={page} aria-describedby={value ? valueId : undefined} className={styles.link}>
        {SETTINGS_PAGES[page]}
      </SettingsLink>
    </Row>
  );
}

function Group({ name, pages, values }: (typeof GROUPS)[number] & { values: PageValues }) {
  const nameId = useId();
  return (
    <div className={styles.group}>
      <p id={nameId} className={styles.name}>
        {name}
      </p>
      <ul aria-labelledby={nameId} className={styles.list}>
        {pages.map((page) => (
          <PageRow key={page} page={page} value={values[page]} />
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
