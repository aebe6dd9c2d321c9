import type { ReactNode } from 'react';

/** A gray placeholder. Give it the size of what's loading. */
export function Skeleton({ className = '' }: { className?: string }) {
  return <div className={`skeleton ${className}`} />;
}

/** Shows 'Loading...' over skeletons (`children`) with the size of what's loading, so that nothing shifts. */
export function Loading({ children }: { children?: ReactNode }) {
  return (
    <div role="status" className="relative min-h-11">
      <div className="absolute inset-x-0 top-0 z-10 grid h-[min(100%,22rem)] place-items-center">
        <span className="rounded-pill bg-surface px-4 py-1.5 text-14 text-ink-2 shadow-sm">Loading...</span>
      </div>
      {children && <div aria-hidden="true">{children}</div>}
    </div>
  );
}
