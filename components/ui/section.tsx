import type { ReactNode } from 'react';

/** A section of a settings page, with a heading and a sentence that explains it. A line separates it from the one above. */
export function Section({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <section className="flex flex-col gap-5 border-line not-first:border-t not-first:pt-9">
      <div className="flex flex-col gap-1.5">
        <h2 className="heading text-[24px]">{title}</h2>
        {lead && <p className="max-w-[60ch] text-15 text-pretty text-ink-2">{lead}</p>}
      </div>
      {children}
    </section>
  );
}
