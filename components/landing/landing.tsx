import { SetupLink } from '@/components/account/sign-in/setup-link';
import { ButtonLink } from '@/components/ui/button';
import { currentTheme } from '@/lib/account/preferences/current';
import { offersSetup } from '@/lib/account/setup/service';
import { PLAN_LIMITS, type PlanType } from '@/lib/billing/plans/shared/limits';
import { sourceUrl } from '@/lib/foundation/site';
import { browserSpeech } from '@/lib/video/speech/browser-build';
import { Guarantees } from './guarantees';
import { Included } from './included';
import { LiveEntry } from './live-entry';
import { Plans } from './plans';
import { Questions } from './questions';
import { SampleEntryPicture } from './sample-entry-picture';
import { SiteFooter } from './site-footer';
import { Still } from './still';
import { TryIt } from './try/try-it';

/** Asks what a first entry answers. */
function Closing() {
  return (
    <section aria-labelledby="closing" className="flex flex-col items-center gap-7 text-center">
      <h2 id="closing" className="heading max-w-[20ch] text-[clamp(28px,1.2rem+2.4vw,44px)]">
        What did you carry today that nobody could see?
      </h2>
      <ButtonLink href="/signup" size="lg">
        Start your journal
      </ButtonLink>
    </section>
  );
}

/**
 * The home page of someone who isn't signed in.
 * @param offersSignup whether anyone can sign up
 * @param sitePlan the plan of every account where the site doesn't charge
 */
export async function Landing({
  offersSignup,
  sitePlan,
}: {
  offersSignup: boolean;
  sitePlan: PlanType | null;
}) {
  const source = sourceUrl();
  const theme = (await currentTheme()) ?? 'system';
  const isEmpty = await offersSetup();
  return (
    <>
      <div className="gutter mx-auto flex w-full max-w-page flex-col gap-20 py-10 sm:gap-28 sm:py-16">
        <section className="grid items-center gap-x-14 gap-y-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.08fr)]">
          <div className="flex flex-col items-start gap-5">
            <h1 className="heading max-w-[8.6em] text-[clamp(42px,1.6rem+3.4vw,62px)] leading-[1.06] [text-wrap:pretty]">
              A private journal you keep <span className="whitespace-nowrap">by talking</span>
            </h1>
            <p className="max-w-[44ch] text-17 text-ink-2 text-pretty">
              Talk to the camera for a few minutes a day. Daylight writes down every word, and any word takes
              you back to the moment you said it.
            </p>
            <div className="flex w-full flex-wrap items-center gap-x-5 gap-y-3 max-sm:flex-col">
              <ButtonLink href={offersSignup ? '/signup' : '/login'} size="lg" className="max-sm:w-full">
                {offersSignup ? 'Start your journal' : 'Log in to your journal'}
              </ButtonLink>
              {offersSignup && !sitePlan && (
                <p className="text-15 text-ink-2">Free for your first {PLAN_LIMITS.Free.videos} entries</p>
              )}
            </div>
            {isEmpty && <SetupLink />}
          </div>
          <TryIt speech={browserSpeech()} offersSignup={offersSignup} still={<Still />} />
        </section>
        <LiveEntry picture={<SampleEntryPicture theme={theme} />} />
        <Guarantees source={source} />
        {sitePlan ? (
          <Included plan={sitePlan} offersSignup={offersSignup} />
        ) : (
          <Plans offersSignup={offersSignup} />
        )}
        <Questions charges={sitePlan === null} />
        {offersSignup && <Closing />}
      </div>
      <SiteFooter source={source} />
    </>
  );
}
