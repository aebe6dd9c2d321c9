import type { ReactNode } from 'react';

/** A section of a settings tab, with a heading and a sentence that explains it. */
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
    <section className="flex flex-col gap-5 rounded-18 border border-line bg-surface p-5 sm:p-7">
      <div className="flex flex-col gap-1.5">
        <h2 className="heading text-[22px]">{title}</h2>
        {lead && <p className="text-15 text-pretty text-ink-2">{lead}</p>}
      </div>
      {children}
    </section>
  );
}
