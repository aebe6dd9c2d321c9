import { TagDot } from '@/components/ui/tag-dot';

const PARAGRAPHS = [
  {
    at: '0:00',
    text: 'I keep putting this one off, so I’m just going to say it out loud and see what happens.',
  },
  {
    at: '0:14',
    before: 'I called Dad this morning. It rang four times and I nearly hung up, and then he ',
    now: 'picked',
    after: ' up and said my name like he’d been waiting.',
  },
  {
    at: '0:41',
    text: 'We didn’t talk about the big thing. We talked about the frost on the car, and his knee.',
  },
  { at: '1:05', text: 'And I realized that was the conversation, and it was enough.' },
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
            <p className="heading mt-1 text-[clamp(22px,1rem+1.6vw,32px)]">
              The morning I finally called Dad
            </p>
          </div>
          <div className="relative overflow-hidden rounded-12">
            <svg viewBox="0 0 640 360" className="block w-full" aria-hidden="true">
              <defs>
                <linearGradient id="still-room" x1="0" y1="0" x2="1" y2="1">
                  <stop offset="0" stopColor="#bfa78f" />
                  <stop offset=".5" stopColor="#8e8c7c" />
                  <stop offset="1" stopColor="#6b7c74" />
                </linearGradient>
              </defs>
              <rect width="640" height="360" fill="url(#still-room)" />
              <circle cx="330" cy="150" r="62" fill="#382c25" />
              <path d="M200 360c2-84 52-140 130-140s128 56 130 140Z" fill="#443b31" />
            </svg>
            <div className="absolute inset-x-3 bottom-3 flex items-center gap-3 rounded-8 bg-[oklch(0.2_0.01_165/.88)] px-3 py-2 text-13 font-semibold text-white tabular-nums">
              <span className="h-1 grow overflow-hidden rounded-pill bg-white/35">
                <span className="block h-full w-[7%] bg-white" />
              </span>
              0:27 / 6:42
            </div>
          </div>
          <div className="flex gap-4">
            <TagDot name="Family" color="#d9755c" />
            <TagDot name="Places" color="#7fb095" />
          </div>
        </div>
        <div className="border-line max-lg:border-t lg:border-l">
          <p className="border-b border-line px-5 py-4 text-15 font-semibold">Transcript</p>
          <div className="flex flex-col gap-4 p-5 font-serif text-[17px]/[1.7]">
            {PARAGRAPHS.map(({ at, text, before, now, after }) => (
              <div key={at} className="grid grid-cols-[44px_1fr]">
                <span className="pt-1 font-sans text-13 text-ink-3 tabular-nums">{at}</span>
                <p>
                  {text ?? before}
                  {now && <mark className="rounded-[5px] bg-mark px-0.5 text-ink">{now}</mark>}
                  <span className="text-ink-2">{after}</span>
                </p>
              </div>
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}
