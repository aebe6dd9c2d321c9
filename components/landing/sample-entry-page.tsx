import { useEffect, useRef } from 'react';
import sample from '@/components/journal/sample/sample.json';
import { SamplePlayer } from '@/components/journal/sample/sample-player';

/** The sample entry with its player and its words, as its page shows them. */
export function SampleEntryPage() {
  const heading = useRef<HTMLHeadingElement>(null);
  // What was pressed to open it is gone.
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <div className="flex flex-col gap-5 rounded-18 border border-line bg-canvas p-4 shadow-xl sm:p-7">
      <h2
        ref={heading}
        tabIndex={-1}
        className="heading text-[clamp(22px,1rem+1.6vw,32px)] focus:outline-none"
      >
        {sample.title}
      </h2>
      <SamplePlayer title={sample.title} words={sample.words} />
    </div>
  );
}
