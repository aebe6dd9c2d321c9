import type { ReactNode } from 'react';

/** A bar that stays at the bottom of the window, above the navigation of phones, while what it's about is on screen. */
export function BottomBar({
  label,
  isSticky = true,
  children,
}: {
  label: string;
  /** Whether it stays, or scrolls with the page for now, such as while another bar is there. */
  isSticky?: boolean;
  children: ReactNode;
}) {
  return (
    <section
      aria-label={label}
      className={`${isSticky ? 'sticky z-20 shadow-lg' : ''} bottom-[calc(16px+env(safe-area-inset-bottom))] mx-auto mb-6 flex w-[calc(100%-32px)] max-w-[720px] flex-wrap items-center gap-x-4 gap-y-1 rounded-18 border border-line bg-surface p-2 pl-5 max-sm:bottom-[calc(92px+env(safe-area-inset-bottom))] max-sm:pl-4`}
    >
      {children}
    </section>
  );
}
