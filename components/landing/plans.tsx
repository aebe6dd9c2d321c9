import { ButtonLink } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { PLAN_LIMITS, PLAN_TYPES } from '@/lib/plans/limits';
import { planFacts } from './plan-facts';

/** Lists the three plans with their limits. @param offersSignup whether anyone can sign up */
export function Plans({ offersSignup }: { offersSignup: boolean }) {
  return (
    <section aria-labelledby="plans" className="flex flex-col items-center gap-8">
      <div className="flex flex-col items-center gap-3 text-center">
        <h2 id="plans" className="heading heading-page">
          Three plans, one journal
        </h2>
        <p className="max-w-[60ch] text-ink-2 text-pretty">
          Every plan includes transcripts, search, captions, and full export. The only difference is how much
          they hold.
        </p>
      </div>
      <ul className="grid w-full gap-5 md:grid-cols-3">
        {PLAN_TYPES.map((plan) => {
          const { price } = PLAN_LIMITS[plan];
          return (
            <li key={plan}>
              <Card className="flex h-full flex-col gap-4 p-6">
                <h3 className="text-17 font-semibold">{plan}</h3>
                <p className="flex items-baseline gap-1.5">
                  <span className="heading text-[36px] tabular-nums">${price}</span>
                  <span className="text-15 text-ink-3">a month</span>
                </p>
                <ul className="flex flex-col gap-1.5 text-15 text-ink-2">
                  {planFacts(plan).map(({ amount, unit }) => (
                    <li key={unit}>
                      {amount} {unit}
                    </li>
                  ))}
                </ul>
              </Card>
            </li>
          );
        })}
      </ul>
      {offersSignup && (
        <ButtonLink href="/signup" size="lg">
          Start with the free plan
        </ButtonLink>
      )}
    </section>
  );
}
