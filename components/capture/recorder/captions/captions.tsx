import { type StudioCaptions, useCaptionsState } from './use-live-captions';

/** Splits off the last word, which is marked. */
function splitLast(text: string): [before: string, last: string] {
  const at = text.trimEnd().lastIndexOf(' ') + 1;
  return [text.slice(0, at), text.slice(at)];
}

/** Shows the last lines of what's being said, over the lower part of the picture. Newer words may still change. */
export function Captions({
  captions: { live, wanted },
  className = '',
}: {
  captions: StudioCaptions;
  className: string | undefined;
}) {
  const { captions } = useCaptionsState(live);
  if (!wanted || !(captions.settled || captions.open)) return null;
  const [before, last] = splitLast(captions.open);
  return (
    <section
      aria-label="Words as you speak"
      // Read aloud, they would talk over the user.
      aria-live="off"
      className={`pointer-events-none ${className}`}
    >
      <p className="mx-auto flex max-h-[3lh] max-w-[920px] flex-col justify-end overflow-hidden font-serif text-[clamp(22px,1rem+1.6vw,36px)] leading-[1.36] text-white text-shadow-md">
        <span>
          <span className="text-white/80">{captions.settled}</span> {before}
          <span className="decoration-[oklch(0.8_0.13_85)] decoration-3 underline-offset-4 [text-decoration-line:underline]">
            {last}
          </span>
        </span>
      </p>
    </section>
  );
}
