import { ButtonLink } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import type { PlanType } from '@/lib/billing/plans/shared/limits';
import { planFacts } from './plan-facts';

/** Says what everybody gets where the site doesn't charge. @param offersSignup whether anyone can sign up */
export function Included({ plan, offersSignup }: { plan: PlanType; offersSignup: boolean }) {
  return (
    <section aria-labelledby="included" className="flex flex-col items-center gap-8">
      <div className="flex flex-col items-center gap-3 text-center">
        <h2 id="included" className="heading heading-page">
          Everything’s included
        </h2>
        <p className="max-w-[60ch] text-ink-2 text-pretty">
          This site doesn’t charge. Every journal comes with transcripts, search, captions, and full export.
        </p>
      </div>
      <Card className="w-full max-w-[820px] p-0">
        <ul className="grid divide-line max-sm:divide-y sm:grid-cols-3 sm:divide-x">
          {planFacts(plan).map(({ amount, unit }) => (
            <li key={unit} className="flex flex-col items-center gap-1 px-4 py-6">
              <span className="heading text-[32px] tabular-nums">{amount}</span>
              <span className="text-15 text-ink-2">{unit}</span>
            </li>
          ))}
        </ul>
      </Card>
      {offersSignup && (
        <ButtonLink href="/signup" size="lg">
          Start your journal
        </ButtonLink>
      )}
    </section>
  );
}
