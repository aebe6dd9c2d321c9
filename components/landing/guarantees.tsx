const GUARANTEES = [
  {
    title: 'Only you can watch',
    text: 'No feed, no sharing, no ads. Your videos, transcripts, and notes are visible to your account and nobody else.',
  },
  {
    title: 'Take it all with you',
    text: 'Download every video, transcript, and note whenever you like. You can keep watching, editing, and exporting even when your journal is full.',
  },
  {
    title: 'Deleted means gone',
    text: 'Deleted entries stay in the trash for 30 days in case you change your mind. Then the video and transcript are erased.',
  },
];

/** What people can count on, whatever their plan. */
export function Guarantees() {
  return (
    <section aria-label="What you can count on" className="grid gap-8 md:grid-cols-3">
      {GUARANTEES.map(({ title, text }) => (
        <div key={title} className="flex flex-col gap-2 border-t-2 border-accent pt-4">
          <h2 className="heading text-[22px]">{title}</h2>
          <p className="text-16 text-ink-2">{text}</p>
        </div>
      ))}
    </section>
  );
}
