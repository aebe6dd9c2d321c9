import type { Metadata } from 'next';
import { Card } from '@/components/ui/card';
import { PageHeading } from '@/components/ui/page-heading';
import { loadNotices, type Notice as NoticeProps } from './load-notices';

export const metadata: Metadata = { title: 'Open source notices' };

function Notice({ notice }: { notice: NoticeProps }) {
  return (
    <li className="flex flex-col gap-1 py-4">
      <h3 className="text-16 font-semibold break-words">
        <a href={notice.homepage} rel="noreferrer" className="text-accent-ink underline underline-offset-4">
          {notice.name}
        </a>
      </h3>
      <p className="text-15 text-ink-2">{notice.purpose}.</p>
      <p className="text-14 text-ink-3">
        {notice.version && (
          <>
            {notice.package} <span className="tabular-nums">{notice.version}</span> ·{' '}
          </>
        )}
        <span>{notice.license}</span>
      </p>
      {notice.licenses.length > 0 && (
        <details>
          <summary className="w-fit cursor-pointer rounded-8 py-[11px] text-15 font-medium text-ink-2 hover:text-ink">
            License<span className="sr-only"> of {notice.name}</span>
          </summary>
          {notice.licenses.map(({ text, packages }) => (
            <div key={packages.join()} className="mb-4 flex flex-col gap-1 text-14 break-words text-ink-2">
              {notice.includes && <p className="font-medium">{packages.join(', ')}</p>}
              <p className="whitespace-pre-wrap">{text}</p>
            </div>
          ))}
        </details>
      )}
    </li>
  );
}

export default async function NoticesPage() {
  const sections = await loadNotices();
  return (
    <div className="gutter mx-auto flex w-full max-w-[760px] flex-col gap-8 py-8 sm:py-11">
      <PageHeading lead="Daylight is built with the work of others. These are the models and libraries that transcribe your entries or reach your browser, and their licenses.">
        Open source notices
      </PageHeading>
      {sections.map(({ title, notices }) => (
        <section key={title} aria-label={title} className="flex flex-col gap-3">
          <h2 className="heading text-[22px]">{title}</h2>
          <Card className="py-1">
            <ul className="divide-y divide-line">
              {notices.map((notice) => (
                <Notice key={notice.name} notice={notice} />
              ))}
            </ul>
          </Card>
        </section>
      ))}
    </div>
  );
}
