import { BookOpen, Plus, Settings } from 'lucide';
import { MemberLinks } from '@/components/shell/nav/member-links';
import { Icon } from '@/components/ui/icon';
import { Logo } from '@/components/ui/logo';
import { useConnection } from './connection';
import { useVisit } from './place';

const ICONS = {
  upload: <Icon of={Plus} aria-hidden="true" />,
  journal: <Icon of={BookOpen} aria-hidden="true" />,
  settings: <Icon of={Settings} aria-hidden="true" />,
};

/** The bar at the top of the page that's shown without a network. */
export function OfflineNavigation() {
  const visit = useVisit();
  const isOnline = useConnection();
  return (
    <header className="gutter sticky top-0 z-30 flex h-16 shrink-0 items-center gap-3 border-b border-line bg-canvas sm:gap-5">
      <a href="/" className="-mx-1 inline-flex min-h-11 shrink-0 items-center rounded-8 px-1">
        <Logo />
      </a>
      {visit?.account && <MemberLinks icons={ICONS} prefetch={false} />}
      <p
        role="status"
        className="ml-auto rounded-pill border border-line-strong px-3 py-1 text-14 font-medium text-ink-2 empty:hidden"
      >
        {visit && !isOnline && 'Offline'}
      </p>
    </header>
  );
}
