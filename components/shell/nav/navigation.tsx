import { BookOpen, LogOut, Plus, Search, Settings } from 'lucide';
import Link from 'next/link';
import { ThemeChoice } from '@/components/shell/theme/theme-choice';
import { Icon } from '@/components/ui/icon';
import { Logo } from '@/components/ui/logo';
import type { Theme } from '@/lib/account/preferences/contract';
import type { User } from '@/lib/account/sessions/service';
import styles from './account-menu.module.css';
import { MemberControls } from './member-controls';
// Here, because the styles of code that loads later would come after the search box is shown.
import './search-box.module.css';

const PLAIN_LINK =
  'inline-flex min-h-11 items-center rounded-8 px-3 text-15 font-medium text-ink-2 hover:bg-sunken hover:text-ink';

const LINK_ICONS = {
  upload: <Icon of={Plus} aria-hidden="true" />,
  journal: <Icon of={BookOpen} aria-hidden="true" />,
  settings: <Icon of={Settings} aria-hidden="true" />,
};

const MENU_ID = 'account-menu';
const MENU_ITEM = 'flex min-h-11 items-center gap-3 rounded-8 px-3 text-15 font-medium hover:bg-sunken';

/** Returns the letter that stands for someone: the first one of their name, or else of their address. */
const initialOf = ({ firstName, lastName, email }: User): string =>
  [...(firstName.trim() || lastName.trim() || email)][0]?.toLocaleUpperCase('en-US') ?? '';

/** The account's menu, on every page. The browser opens and closes it, so it works before any script does. */
function AccountMenu({ owner, theme }: { owner: User; theme: Theme }) {
  const name = `${owner.firstName} ${owner.lastName}`.trim();
  return (
    <>
      <button type="button" popoverTarget={MENU_ID} aria-label="Account menu" className={styles.button}>
        <span aria-hidden="true" className={styles.initial}>
          {initialOf(owner)}
        </span>
      </button>
      <section id={MENU_ID} popover="auto" aria-label="Account" className={styles.menu}>
        <div className="px-3 pt-2 pb-3">
          {name && (
            <p dir="auto" className="text-16 font-semibold break-words">
              {name}
            </p>
          )}
          <p className="text-14 break-all text-ink-2">{owner.email}</p>
        </div>
        <div className="border-y border-line px-3 pt-3 pb-4">
          <ThemeChoice theme={theme} />
        </div>
        <div className="flex flex-col pt-1.5">
          <Link href="/settings" prefetch={false} className={MENU_ITEM}>
            <Icon of={Settings} aria-hidden="true" width={20} height={20} className="text-ink-2" />
            Settings
          </Link>
          <Link href="/logout" prefetch={false} className={MENU_ITEM}>
            <Icon of={LogOut} aria-hidden="true" width={20} height={20} className="text-ink-2" />
            Logout
          </Link>
        </div>
      </section>
    </>
  );
}

/** The bar at the top of every page. People who haven't verified their address can only log out from it. */
export function Navigation({
  user,
  theme = 'system',
  offersSignup,
}: {
  /** Null for a visitor. */
  user: User | null;
  theme: Theme | undefined;
  /** Whether anyone can sign up. */
  offersSignup: boolean;
}) {
  return (
    <header className="gutter sticky top-0 z-30 flex h-16 shrink-0 items-center gap-3 border-b border-line bg-canvas sm:gap-5">
      <Link href="/" className="-mx-1 inline-flex min-h-11 shrink-0 items-center rounded-8 px-1">
        <Logo />
      </Link>
      {!user && (
        <nav aria-label="Main" className="ml-auto flex items-center gap-1">
          <Link href="/login" className={PLAIN_LINK}>
            Login
          </Link>
          {offersSignup && (
            <Link
              href="/signup"
              className="inline-flex min-h-11 items-center rounded-pill bg-accent px-[18px] text-15 font-semibold text-on-accent hover:bg-accent-hover"
            >
              Signup
            </Link>
          )}
        </nav>
      )}
      {user && !user.verified && (
        <nav aria-label="Main" className="ml-auto">
          <Link href="/logout" prefetch={false} className={PLAIN_LINK}>
            Logout
          </Link>
        </nav>
      )}
      {user?.verified && (
        <>
          <MemberControls icons={LINK_ICONS} searchIcon={<Icon of={Search} aria-hidden="true" />} />
          <AccountMenu owner={user} theme={theme} />
        </>
      )}
    </header>
  );
}
