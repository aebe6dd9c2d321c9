import type { ReactNode } from 'react';
import { PageHeading } from '@/components/ui/page-heading';
import { LINK } from '@/components/ui/prose';
import type { Operator } from '@/lib/foundation/site';
import { SiteFooter } from './site-footer';

/** A page of text that anyone can read. */
export function DocumentPage({
  title,
  lead,
  children,
}: {
  title: string;
  lead: ReactNode;
  children: ReactNode;
}) {
  return (
    <>
      <article className="gutter mx-auto flex w-full max-w-[760px] flex-col gap-10 py-10 sm:py-16">
        <PageHeading lead={lead}>{title}</PageHeading>
        {children}
      </article>
      <SiteFooter />
    </>
  );
}

/** @param id where links to it lead */
export function DocumentSection({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-heading`}
      className="flex flex-col gap-3 text-16 text-ink-2 text-pretty"
    >
      <h2 id={`${id}-heading`} className="heading text-[24px] text-ink">
        {title}
      </h2>
      {children}
    </section>
  );
}

export function DocumentList({ children }: { children: ReactNode }) {
  return <ul className="flex list-disc flex-col gap-2 pl-5 marker:text-ink-3">{children}</ul>;
}

/** Says how to reach the operator, if that's set. */
export function Contact({ contact }: Pick<Operator, 'contact'>) {
  if (!contact) return null;
  return (
    <>
      Write to{' '}
      <a href={contact.href} rel="noreferrer" className={LINK}>
        {contact.text}
      </a>
      .
    </>
  );
}
