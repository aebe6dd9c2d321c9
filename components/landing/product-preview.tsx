import { SamplePicture } from '@/components/sample/sample-picture';
import { TagDot } from '@/components/ui/tag-dot';

/** What's said in the sample entry, whose picture this shows. */
const PARAGRAPHS = [
  { at: '0:00', text: 'When forty winters shall besiege thy brow,' },
  { at: '0:03', before: 'and dig deep trenches in thy beauty’s ', now: 'field,' },
  { at: '0:06', text: 'thy youth’s proud livery, so gazed on now,' },
  { at: '0:11', text: 'will be a tattered weed of small worth held.' },
];

/** A preview of an entry's page, built from the interface's own parts. Screen readers get it as one image. */
export function ProductPreview() {
  return (
    <div
      role="img"
      aria-label="An entry in Daylight: the video, its tags, and the transcript with the spoken word highlighted."
      className="overflow-hidden rounded-18 border border-line bg-surface shadow-xl"
    >
      <div className="grid lg:grid-cols-[1.55fr_1fr]">
        <div className="flex flex-col gap-4 p-4 sm:p-7">
          <div>
            <p className="text-14 text-ink-3 tabular-nums">11/18/2026</p>
            <p className="heading mt-1 text-[clamp(22px,1rem+1.6vw,32px)]">A sonnet before bed</p>
          </div>
          <div className="relative overflow-hidden rounded-12">
            <SamplePicture className="block aspect-video w-full object-cover" />
            <div className="absolute inset-x-3 bottom-3 flex items-center gap-3 rounded-8 bg-[oklch(0.2_0.01_165/.88)] px-3 py-2 text-13 font-semibold text-white tabular-nums">
              <span className="h-1 grow overflow-hidden rounded-pill bg-white/35">
                <span className="block h-full w-[42%] bg-white" />
              </span>
              0:06 / 0:15
            </div>
          </div>
          <div className="flex gap-4">
            <TagDot name="Evenings" color="#d9755c" />
            <TagDot name="Reading" color="#7fb095" />
          </div>
        </div>
        <div className="border-line max-lg:border-t lg:border-l">
          <p className="border-b border-line px-5 py-4 text-15 font-semibold">Transcript</p>
          <div className="flex flex-col gap-4 p-5 font-serif text-[17px]/[1.7]">
            {PARAGRAPHS.map(({ at, text, before, now }) => (
              <div key={at} className="grid grid-cols-[44px_1fr]">
                <span className="pt-1 font-sans text-13 text-ink-3 tabular-nums">{at}</span>
                <p>
                  {text ?? before}
                  {now && <mark className="rounded-[5px] bg-mark px-0.5 text-ink">{now}</mark>}
                </p>
              </div>
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}
