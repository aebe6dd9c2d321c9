import { SetupLink } from '@/components/account/sign-in/setup-link';
import sample from '@/components/journal/sample/sample.json';
import { SamplePicture } from '@/components/journal/sample/sample-picture';
import { ButtonLink } from '@/components/ui/button';
import { isSignupOpen } from '@/lib/account/invitations/service';
import type { Theme } from '@/lib/account/preferences/contract';
import { currentTheme } from '@/lib/account/preferences/current';
import { offersSetup } from '@/lib/account/setup/service';
import { sitePlan } from '@/lib/billing/plans/service';
import { PLAN_LIMITS } from '@/lib/billing/plans/shared/limits';
import { browserSpeech } from '@/lib/video/speech/browser-build';
import { Guarantees } from './guarantees';
import { LiveEntry } from './live-entry';
import { ENTRY_PICTURES } from './pictures';
import { Included, Plans } from './plans';
import { Questions } from './questions';
import { SiteFooter } from './site-footer';
import { TryIt } from './try/try-it';

/** The first words of the sample, in lines of their own, so that no word moves when the typeface arrives. */
const FIRST_LINES = [sample.words.slice(0, 3), sample.words.slice(3, 7)];

/** What the camera's place shows until somebody tries it: the sample, and what's said in it. */
function Still() {
  return (
    <div className="relative aspect-square overflow-hidden rounded-12 bg-sunken sm:aspect-[16/10]">
      <SamplePicture loading="eager" fetchPriority="high" className="size-full object-cover" />
      <p
        aria-hidden="true"
        className="absolute inset-x-0 bottom-0 bg-linear-to-t from-black/80 to-transparent px-5 pt-14 pb-4 font-serif text-[clamp(18px,0.9rem+0.8vw,24px)] leading-snug text-white"
      >
        {FIRST_LINES.map((line) => (
          <span key={line[0]?.word} className="block whitespace-nowrap">
            {line.map(({ word }) => word).join(' ')}
          </span>
        ))}
      </p>
    </div>
  );
}

/** When the dark picture is shown: as the device is set, unless a theme was chosen in this browser. */
const DARK_MEDIA: Record<Theme, string> = {
  system: '(prefers-color-scheme: dark)',
  light: '(width < 0px)',
  dark: '(width >= 0px)',
};

/** A picture of the sample entry's page, taken of the running site: wide or for phones, light or dark. */
function SampleEntryPicture({ theme }: { theme: Theme }) {
  const { wide, narrow } = ENTRY_PICTURES;
  const dark = DARK_MEDIA[theme];
  const phone = '(max-width: 639px)';
  const others = [
    { media: `${phone} and ${dark}`, of: narrow, look: 'dark' },
    { media: phone, of: narrow, look: 'light' },
    { media: dark, of: wide, look: 'dark' },
  ];
  return (
    <picture>
      {others.map(({ media, of: { name, width, height }, look }) => (
        <source
          key={media}
          media={media}
          srcSet={`/pictures/${name}-${look}.webp`}
          width={width}
          height={height}
        />
      ))}
      <img
        src={`/pictures/${wide.name}-light.webp`}
        width={wide.width}
        height={wide.height}
        loading="lazy"
        alt="An entry in Daylight: the video, its tags, and every word of it with its time. The word that’s being said is marked."
        className="block h-auto w-full"
      />
    </picture>
  );
}

/** The home page of someone who isn't signed in. */
export async function Landing() {
  const theme = (await currentTheme()) ?? 'system';
  const isEmpty = await offersSetup();
  const offersSignup = isSignupOpen();
  const includedPlan = sitePlan();
  return (
    <>
      <div className="gutter mx-auto flex w-full max-w-page flex-col gap-20 py-10 sm:gap-28 sm:py-16">
        <section className="grid items-center gap-x-14 gap-y-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.08fr)]">
          <div className="flex flex-col items-start gap-5">
            {/* Lines of their own: in the typeface that's there first, other words would fit into each. */}
            <h1 className="heading text-[clamp(34px,10.8vw,42px)] leading-[1.06] *:block *:whitespace-nowrap sm:text-[clamp(42px,1.6rem+3.4vw,62px)]">
              <span>A private journal </span>
              <span>you keep </span>
              <span>by talking</span>
            </h1>
            <p className="max-w-[44ch] text-17 text-ink-2 text-pretty">
              Talk to the camera for a few minutes a day. Daylight writes down every word, and any word takes
              you back to the moment you said it.
            </p>
            <div className="flex w-full flex-wrap items-center gap-x-5 gap-y-3 max-sm:flex-col">
              <ButtonLink href={offersSignup ? '/signup' : '/login'} size="lg" className="max-sm:w-full">
                {offersSignup ? 'Start your journal' : 'Log in to your journal'}
              </ButtonLink>
              {offersSignup && !includedPlan && (
                <p className="text-15 text-ink-2">Free for your first {PLAN_LIMITS.Free.videos} entries</p>
              )}
            </div>
            {isEmpty && <SetupLink />}
          </div>
          <TryIt speech={browserSpeech()} offersSignup={offersSignup} still={<Still />} />
        </section>
        <LiveEntry picture={<SampleEntryPicture theme={theme} />} />
        <Guarantees />
        {includedPlan ? (
          <Included plan={includedPlan} offersSignup={offersSignup} />
        ) : (
          <Plans offersSignup={offersSignup} />
        )}
        <Questions charges={includedPlan === null} />
        {offersSignup && (
          <section aria-labelledby="closing" className="flex flex-col items-center gap-7 text-center">
            <h2 id="closing" className="heading max-w-[20ch] text-[clamp(28px,1.2rem+2.4vw,44px)]">
              What did you carry today that nobody could see?
            </h2>
            <ButtonLink href="/signup" size="lg">
              Start your journal
            </ButtonLink>
          </section>
        )}
      </div>
      <SiteFooter />
    </>
  );
}
