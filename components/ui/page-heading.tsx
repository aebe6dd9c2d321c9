import type { ReactNode } from 'react';

/** The one heading of level 1 of a page, with a line below it when it needs one. */
export function PageHeading({ children, lead }: { children: ReactNode; lead?: ReactNode }) {
  return (
    <div className="flex flex-col gap-2.5">
      <h1 className="heading heading-page">{children}</h1>
      {lead && <p className="text-16 text-pretty text-ink-2">{lead}</p>}
    </div>
  );
}
