import { FileText, Film, Package } from 'lucide';
import type { ReactNode } from 'react';
import { Icon } from '@/components/ui/icon';
import { LINK } from '@/components/ui/prose';
import { sourceUrl } from '@/lib/foundation/site';
import { EXAMPLE_EXPORT } from './pictures';

function WhoCanWatch() {
  return (
    <dl className="flex flex-col divide-y divide-line text-15">
      {[
        ['Accounts that can watch', '1'],
        ['Public pages', '0'],
        ['Advertisers', '0'],
      ].map(([what, count]) => (
        <div key={what} className="flex items-baseline justify-between gap-4 py-2.5">
          <dt className="text-ink-2">{what}</dt>
          <dd className="heading text-[17px]">{count}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What's in the example export. */
const ARCHIVED = [
  { name: '2025-11-18 A sonnet before bed.mp4', icon: Film },
  { name: '2025-11-18 A sonnet before bed.txt', icon: FileText },
  { name: 'index.html', icon: FileText },
];

function ArchiveFiles() {
  return (
    <div className="flex flex-col gap-2 text-14">
      <p className="flex items-center gap-2 font-semibold">
        <Icon of={Package} className="size-4 text-ink-2" aria-hidden="true" />
        Your archive
      </p>
      <ul className="flex flex-col gap-2 pl-6 text-ink-2">
        {ARCHIVED.map(({ name, icon }) => (
          <li key={name} className="flex items-start gap-2">
            <Icon of={icon} className="mt-1 size-4 shrink-0" aria-hidden="true" />
            <span className="min-w-0 break-words">{name}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function ThirtyDays() {
  return (
    <div className="text-14">
      <p className="mb-1 text-center text-ink-2">30 days to change your mind</p>
      <div aria-hidden="true" className="flex items-center">
        <span className="size-3.5 rounded-pill bg-danger" />
        <span className="grow border-t-2 border-dotted border-line-strong" />
        <span className="size-3.5 rounded-pill border-2 border-ink" />
      </div>
      <div className="mt-1 flex justify-between">
        <p>
          <span className="block font-semibold">Deleted</span>
          <span className="text-ink-2">November 22</span>
        </p>
        <p className="text-right">
          <span className="block font-semibold">Erased</span>
          <span className="text-ink-2">December 22</span>
        </p>
      </div>
    </div>
  );
}

function Guarantee({
  title,
  tile,
  children,
}: {
  title: string;
  /** A drawing of the promise. */
  tile: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="flex flex-col gap-2.5">
      <div className="flex min-h-[168px] flex-col justify-center rounded-18 bg-sunken p-5 lg:p-6">{tile}</div>
      <h3 className="heading mt-2.5 text-[22px]">{title}</h3>
      <p className="text-16 text-ink-2 text-pretty">{children}</p>
    </div>
  );
}

/** What people can count on, whatever their plan, and where to check it. */
export function Guarantees() {
  const source = sourceUrl();
  return (
    <section aria-labelledby="guarantees" className="flex flex-col gap-8">
      <h2 id="guarantees" className="heading heading-page">
        Three promises, and how to check them
      </h2>
      <div className="grid gap-x-6 gap-y-12 md:grid-cols-3 lg:gap-x-12">
        <Guarantee title="Only you can watch" tile={<WhoCanWatch />}>
          <span>
            There’s no feed, no share link, and no ads. Your videos and their words open for your account and
            for no other.{' '}
          </span>
          <a href="/privacy#who-can-see" className={LINK}>
            See who can see what
          </a>
          {source && (
            <span>
              {' '}
              or{' '}
              <a href={source} rel="noreferrer" className={LINK}>
                read the source
              </a>
            </span>
          )}
          <span>.</span>
        </Guarantee>
        <Guarantee title="You can take it all with you" tile={<ArchiveFiles />}>
          Download every video, transcript, and note as ordinary files, on every plan, also when your journal
          is full.{' '}
          <a href={EXAMPLE_EXPORT} download className={LINK}>
            Download an example export
          </a>
          .
        </Guarantee>
        <Guarantee title="What you delete is gone" tile={<ThirtyDays />}>
          A deleted entry stays in your trash for up to 30 days. Then its video, words, and notes are erased.{' '}
          <a href="/privacy#deletion" className={LINK}>
            Read how deletion works
          </a>
          .
        </Guarantee>
      </div>
    </section>
  );
}
