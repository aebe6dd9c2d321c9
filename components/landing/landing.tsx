import { NoticesLink } from '@/components/nav/notices-link';
import { SamplePicture } from '@/components/sample/sample-picture';
import { ButtonLink } from '@/components/ui/button';
import { PLAN_LIMITS, type PlanType } from '@/lib/plans/limits';
import { browserSpeech } from '@/lib/speech/browser-build';
import { Guarantees } from './guarantees';
import { Included } from './included';
import { Plans } from './plans';
import { ProductPreview } from './product-preview';
import { Questions } from './questions';
import { TryIt } from './try/try-it';

/** What the camera's place shows until somebody tries it. */
function Still() {
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

/**
 * The home page of someone who isn't signed in.
 * @param offersSignup whether anyone can sign up
 * @param sitePlan the plan of every account where the site doesn't charge
 */
export function Landing({ offersSignup, sitePlan }: { offersSignup: boolean; sitePlan: PlanType | null }) {
  return (
    <div className="gutter mx-auto flex w-full max-w-page flex-col gap-16 py-10 sm:gap-24 sm:py-16">
      <section className="grid items-center gap-x-14 gap-y-10 lg:grid-cols-[minmax(0,1.05fr)_minmax(0,1fr)]">
        <div className="flex flex-col items-start gap-5">
          <h1 className="heading max-w-[14ch] text-[clamp(36px,1.4rem+3.6vw,62px)] leading-[1.06]">
            A private journal you keep by talking
          </h1>
          <p className="max-w-[48ch] text-17 text-ink-2 text-pretty">
            Record a few minutes of your day on camera. Daylight transcribes every word, so you can read it,
            search it, and jump straight back to the moment.
          </p>
          <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
            <ButtonLink href={offersSignup ? '/signup' : '/login'} size="lg">
              {offersSignup ? 'Start your journal' : 'Log in to your journal'}
            </ButtonLink>
            {offersSignup && !sitePlan && (
              <p className="text-15 text-ink-2">Free for your first {PLAN_LIMITS.Free.videos} entries</p>
            )}
          </div>
        </div>
        <TryIt speech={browserSpeech()} offersSignup={offersSignup} still={<Still />} />
      </section>
      <ProductPreview />
      <Guarantees />
      {sitePlan ? (
        <Included plan={sitePlan} offersSignup={offersSignup} />
      ) : (
        <Plans offersSignup={offersSignup} />
      )}
      <Questions />
      <footer className="flex justify-center border-t border-line pt-4">
        <NoticesLink />
      </footer>
    </div>
  );
}
