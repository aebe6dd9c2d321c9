import { type StudioWords, useWordsState } from './use-live-words';

/** Shows the last lines of what's being said, over the lower part of the picture. Newer words may still change. */
export function Captions({ words: { live, wanted } }: { words: StudioWords }) {
  const { captions } = useWordsState(live);
  if (!wanted || !(captions.settled || captions.open)) return null;
  return (
    <section
      aria-label="Words as you speak"
      // Read aloud, they would talk over the person.
      aria-live="off"
      className="pointer-events-none absolute inset-x-0 bottom-0 bg-linear-to-t from-black/85 via-black/60 to-transparent px-4 pt-14 pb-18 sm:px-10 sm:pb-20"
    >
      <p className="mx-auto flex max-h-[3lh] max-w-3xl flex-col justify-end overflow-hidden font-serif text-[18px] leading-snug text-white sm:text-[24px]">
        <span>
          {captions.settled} <span className="text-white/80 italic">{captions.open}</span>
        </span>
      </p>
    </section>
  );
}
