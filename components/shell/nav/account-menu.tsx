import { LogOut, Settings } from 'lucide';
import Link from 'next/link';
import { ThemeChoice } from '@/components/shell/theme/theme-choice';
import { Icon } from '@/components/ui/icon';
import type { Theme } from '@/lib/account/preferences/contract';
import styles from './account-menu.module.css';

/** The person whose menu it is. */
export interface Owner {
  firstName: string;
  lastName: string;
  email: string;
}

const ID = 'account-menu';
const ITEM = 'flex min-h-11 items-center gap-3 rounded-8 px-3 text-15 font-medium hover:bg-sunken';

/** Returns the letter that stands for someone: the first one of their name, or else of their address. */
const initialOf = ({ firstName, lastName, email }: Owner): string =>
  [...(firstName.trim() || lastName.trim() || email)][0]?.toLocaleUpperCase('en-US') ?? '';

/** The account's menu, on every page. The browser opens and closes it, so it works before any script does. */
export function AccountMenu({ owner, theme }: { owner: Owner; theme: Theme }) {
  const name = `${owner.firstName} ${owner.lastName}`.trim();
  return (
    <>
      <button type="button" popoverTarget={ID} aria-label="Account menu" className={styles.button}>
        <span aria-hidden="true" className={styles.initial}>
          {initialOf(owner)}
        </span>
      </button>
      <section id={ID} popover="auto" aria-label="Account" className={styles.menu}>
        <div className="px-3 pt-2 pb-3">
          {name && <p className="text-16 font-semibold break-words">{name}</p>}
          <p className="text-14 break-all text-ink-2">{owner.email}</p>
        </div>
        <div className="border-y border-line px-3 pt-3 pb-4">
          <ThemeChoice theme={theme} />
        </div>
        <div className="flex flex-col pt-1.5">
          <Link href="/settings" prefetch={false} className={ITEM}>
            <Icon of={Settings} aria-hidden="true" width={20} height={20} className="text-ink-2" />
            Settings
          </Link>
          <Link href="/logout" prefetch={false} className={ITEM}>
            <Icon of={LogOut} aria-hidden="true" width={20} height={20} className="text-ink-2" />
            Logout
          </Link>
        </div>
      </section>
    </>
  );
}
