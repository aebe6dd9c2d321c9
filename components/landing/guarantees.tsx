const GUARANTEES = [
  {
    title: 'Only you can watch',
    text: 'There is no feed, no sharing and no advertising. Your videos, their words and your notes open for your account and for nobody else.',
  },
  {
    title: 'You can take it all with you',
    text: 'Download every video, transcript and note whenever you like, on every plan. Watching, editing and exporting go on even when a plan is full.',
  },
  {
    title: 'What you delete is gone',
    text: 'A deleted entry waits in the trash for 30 days, in case you change your mind. Then its video and its words are erased.',
  },
];

/** What a person can count on. */
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
