import Link from 'next/link';
import type { ReactNode } from 'react';

/** Stacks links in a corner of the page, above the navigation of phones. */
export function CornerLinks({ children }: { children: ReactNode }) {
  return (
    <div
      data-corner
      className="fixed right-4 bottom-[calc(88px+env(safe-area-inset-bottom))] z-20 flex flex-col items-end gap-2 sm:bottom-5"
    >
      {children}
    </div>
  );
}

const CORNER =
  'inline-flex min-h-11 max-w-[calc(100vw-32px)] items-center rounded-pill border border-line bg-surface px-4 text-14 font-semibold text-ink no-underline tabular-nums shadow-lg hover:bg-sunken';

/** Shows work that goes on while the user is on other pages, and leads to it. */
export function CornerLink({
  label,
  href,
  problem,
  children,
}: {
  label: string;
  href: string;
  /** Announced when it appears, unlike progress. */
  problem?: string;
  children: ReactNode;
}) {
  return (
    <aside aria-label={label}>
      <Link href={href} className={CORNER}>
        {children}
      </Link>
      <p role="status" className="sr-only">
        {problem}
      </p>
    </aside>
  );
}

/** Says in the corner what needs the user's attention, and opens it. Announced when it appears. */
export function CornerButton({ label, text, onClick }: { label: string; text: string; onClick: () => void }) {
  return (
    <aside aria-label={label}>
      <button type="button" onClick={onClick} className={CORNER}>
        {text}
      </button>
      <p role="status" className="sr-only">
        {text}
      </p>
    </aside>
  );
}
