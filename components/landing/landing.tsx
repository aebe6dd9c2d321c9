import { NoticesLink } from '@/components/nav/notices-link';
import { ButtonLink } from '@/components/ui/button';
import type { PlanType } from '@/lib/plans/limits';
import { Guarantees } from './guarantees';
import { Included } from './included';
import { Plans } from './plans';
import { ProductPreview } from './product-preview';

/**
 * The home page of someone who isn't signed in.
 * @param offersSignup whether anyone can sign up
 * @param sitePlan the plan of every account where the site doesn't charge
 */
export function Landing({ offersSignup, sitePlan }: { offersSignup: boolean; sitePlan: PlanType | null }) {
  return (
    <div className="gutter mx-auto flex w-full max-w-page flex-col gap-16 py-10 sm:gap-24 sm:py-16">
      <section className="flex flex-col items-center gap-5 text-center">
        <h1 className="heading max-w-[20ch] text-[clamp(32px,1.4rem+3.2vw,56px)]">
          A private journal you keep by talking
        </h1>
        <p className="max-w-[56ch] text-17 text-ink-2 text-pretty">
          Record a few minutes of your day on camera. Daylight transcribes every word, so you can read it,
          search it, and jump straight back to the moment.
        </p>
        {offersSignup ? (
          <ButtonLink href="/signup" size="lg">
            Start your journal
          </ButtonLink>
        ) : (
          <ButtonLink href="/login" size="lg">
            Log in to your journal
          </ButtonLink>
        )}
      </section>
      <ProductPreview />
      <Guarantees />
      {sitePlan ? (
        <Included plan={sitePlan} offersSignup={offersSignup} />
      ) : (
        <Plans offersSignup={offersSignup} />
      )}
      <footer className="flex justify-center border-t border-line pt-4">
        <NoticesLink />
      </footer>
    </div>
  );
}
