import type { ReactNode } from 'react';

/** The page's h1, with an optional line below it. */
export function PageHeading({ children, lead }: { children: ReactNode; lead?: ReactNode }) {
  return (
    <div className="flex flex-col gap-2.5">
      <h1 className="heading heading-page">{children}</h1>
      {lead && <p className="text-16 text-pretty text-ink-2">{lead}</p>}
    </div>
  );
}
