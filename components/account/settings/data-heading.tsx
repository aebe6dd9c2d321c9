/** Returns a count with its noun: `1 note`, `171,400 words`. */
const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;

/** Says what the journal holds, and whose it is. */
export function DataHeading({ videos, words, notes }: { videos: number; words: number; notes: number }) {
  return (
    <section className="flex flex-col gap-2">
      <h2 className="text-16 font-medium text-ink-2">Your Data</h2>
      <p className="heading text-[27px] leading-[1.22]! text-balance lg:text-[33px]">
        {videos === 0
          ? 'Nothing recorded yet.'
          : `${counted(videos, 'video')}, ${counted(words, 'word')}, and ${counted(notes, 'note')}.`}{' '}
        <span className="lg:block">{videos === 0 ? 'All of it will be yours.' : 'All of it is yours.'}</span>
      </p>
    </section>
  );
}
