import { ChevronRight, type IconNode, LogOut } from 'lucide';
import Link from 'next/link';
import { Icon } from '@/components/ui/icon';
import styles from './settings-nav.module.css';

interface NavTab {
  id: string;
  label: string;
  icon: IconNode;
}

export interface NavGroup {
  name: string;
  tabs: readonly NavTab[];
}

function Row({
  id,
  href,
  label,
  icon,
  value,
  isCurrent = false,
}: {
  id: string;
  href: string;
  label: string;
  icon: IconNode;
  value?: string | undefined;
  isCurrent?: boolean;
}) {
  return (
    <li className={styles.row}>
      <Icon of={icon} aria-hidden="true" className={styles.icon} />
      <Link
        href={href}
        prefetch={href === '/logout' ? false : null}
        aria-current={isCurrent ? 'page' : undefined}
        aria-describedby={value ? `settings-${id}` : undefined}
        className={styles.link}
      >
        {label}
      </Link>
      {value && (
        <span id={`settings-${id}`} className={styles.value}>
          {value}
        </span>
      )}
      <Icon of={ChevronRight} aria-hidden="true" className={styles.chevron} />
    </li>
  );
}

/**
 * The pages of the settings as links: a column next to the current one or, on phones, a page of its own, which also shows
 * what's set.
 * @param current the page that's shown; on phones, `isOpen` says whether it is shown instead of the list
 * @param values what's set, by page
 */
export function SettingsNav({
  groups,
  current,
  values,
}: {
  groups: readonly NavGroup[];
  current: string;
  values: Partial<Record<string, string>>;
}) {
  return (
    <nav aria-label="Settings" className={styles.nav}>
      {groups.map(({ name, tabs }) => (
        <div key={name} className={styles.group}>
          <p id={`settings-group-${tabs[0]?.id}`} className={styles.name}>
            {name}
          </p>
          <ul aria-labelledby={`settings-group-${tabs[0]?.id}`} className={styles.list}>
            {tabs.map((tab) => (
              <Row
                key={tab.id}
                {...tab}
                href={`/settings?tab=${tab.id}`}
                value={values[tab.id]}
                isCurrent={tab.id === current}
              />
            ))}
          </ul>
        </div>
      ))}
      <div className={styles.group}>
        <ul className={styles.list}>
          <Row id="logout" href="/logout" label="Logout" icon={LogOut} />
        </ul>
      </div>
    </nav>
  );
}
