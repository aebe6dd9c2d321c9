import { FileText, Film, Package } from 'lucide';
import type { ReactNode } from 'react';
import { Icon } from '@/components/ui/icon';

function SharedWith() {
  return (
    <dl className="flex flex-col divide-y divide-line text-15">
      {[
        ['Shared with', 'Nobody'],
        ['Public pages', '0'],
        ['Advertisers', '0'],
      ].map(([what, who]) => (
        <div key={what} className="flex items-baseline justify-between py-2.5">
          <dt className="text-ink-2">{what}</dt>
          <dd className="heading text-[17px]">{who}</dd>
        </div>
      ))}
    </dl>
  );
}

function ArchiveFiles() {
  const files = [
    { name: '2026-11-18 Called Dad.mp4', icon: Film },
    { name: '2026-11-18 Called Dad.txt', icon: FileText },
    { name: 'daylight.json', icon: FileText },
  ];
  return (
    <div className="flex flex-col gap-2 text-14">
      <p className="flex items-center gap-2 font-semibold">
        <Icon of={Package} className="size-4 text-ink-2" aria-hidden="true" />
        Your archive
      </p>
      <ul className="flex flex-col gap-2 pl-6 text-ink-2">
        {files.map(({ name, icon }) => (
          <li key={name} className="flex items-center gap-2">
            <Icon of={icon} className="size-4 shrink-0" aria-hidden="true" />
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
      <div className="mt-1 flex justify-between font-semibold">
        <span>Deleted</span>
        <span>Erased</span>
      </div>
    </div>
  );
}

const GUARANTEES: { title: string; text: string; proof: ReactNode }[] = [
  {
    title: 'Only you can watch',
    text: 'No feed, no sharing, no ads. Your videos, transcripts, and notes are visible to your account and nobody else.',
    proof: <SharedWith />,
  },
  {
    title: 'Take it all with you',
    text: 'Download every video, transcript, and note whenever you like. You can keep watching, editing, and exporting even when your journal is full.',
    proof: <ArchiveFiles />,
  },
  {
    title: 'Deleted means gone',
    text: 'Deleted entries stay in the trash for 30 days in case you change your mind. Then the video and transcript are erased.',
    proof: <ThirtyDays />,
  },
];

/** What people can count on, whatever their plan. */
export function Guarantees() {
  return (
    <section aria-labelledby="guarantees" className="flex flex-col gap-8">
      <h2 id="guarantees" className="heading heading-page">
        Three promises
      </h2>
      <div className="grid gap-x-12 gap-y-10 md:grid-cols-3">
        {GUARANTEES.map(({ title, text, proof }) => (
          <div key={title} className="flex flex-col gap-3">
            <div className="flex min-h-[168px] flex-col justify-center rounded-18 bg-sunken p-6">{proof}</div>
            <h3 className="heading mt-2 text-[22px]">{title}</h3>
            <p className="text-16 text-ink-2">{text}</p>
          </div>
        ))}
      </div>
    </section>
  );
}
