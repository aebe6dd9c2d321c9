import { SamplePicture } from '@/components/journal/sample/sample-picture';

/** What the camera's place shows until somebody tries it. */
export function Still() {
  return (
    <div className="relative aspect-[4/3] overflow-hidden rounded-12 bg-sunken sm:aspect-[16/10]">
      <SamplePicture loading="eager" fetchPriority="high" className="size-full object-cover" />
      <p
        aria-hidden="true"
        className="absolute inset-x-0 bottom-0 bg-linear-to-t from-black/80 to-transparent px-5 pt-14 pb-4 font-serif text-[clamp(18px,0.9rem+0.8vw,24px)] leading-snug text-white"
      >
        {/* Lines of their own, so that no word moves when the typeface arrives. */}
        <span className="block">Okay, so this is me,</span>
        <span className="block">talking to a web page,</span>
        <span className="block">
          and it is writing it{' '}
          <span className="underline decoration-[oklch(0.8_0.13_85)] decoration-2 underline-offset-4">
            down
          </span>
        </span>
      </p>
    </div>
  );
}
