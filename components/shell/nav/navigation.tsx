import { BookOpen, Plus, Search, Settings } from 'lucide';
import Link from 'next/link';
import { Icon } from '@/components/ui/icon';
import { Logo } from '@/components/ui/logo';
import type { Theme } from '@/lib/account/preferences/contract';
import { AccountMenu, type Owner } from './account-menu';
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

/** @param offersSignup whether anyone can sign up */
function VisitorLinks({ offersSignup }: { offersSignup: boolean }) {
  return (
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
  );
}

function UnverifiedLinks() {
  return (
    <nav aria-label="Main" className="ml-auto">
      <Link href="/logout" prefetch={false} className={PLAIN_LINK}>
        Logout
      </Link>
    </nav>
  );
}

/** The bar at the top of every page. People who haven't verified their address can only log out from it. */
export function Navigation({
  user,
  theme = 'system',
  offersSignup,
}: {
  /** Null for a visitor. */
  user: (Owner & { verified: boolean }) | null;
  theme: Theme | undefined;
  offersSignup: boolean;
}) {
  return (
    <header className="gutter sticky top-0 z-30 flex h-16 shrink-0 items-center gap-3 border-b border-line bg-canvas sm:gap-5">
      <Link href="/" className="-mx-1 inline-flex min-h-11 shrink-0 items-center rounded-8 px-1">
        <Logo />
      </Link>
      {!user && <VisitorLinks offersSignup={offersSignup} />}
      {user && !user.verified && <UnverifiedLinks />}
      {user?.verified && (
        <>
          <MemberControls icons={LINK_ICONS} searchIcon={<Icon of={Search} aria-hidden="true" />} />
          <AccountMenu owner={user} theme={theme} />
        </>
      )}
    </header>
  );
}
