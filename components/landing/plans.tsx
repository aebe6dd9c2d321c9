import { ButtonLink } from '@/components/ui/button';
import { PLAN_LIMITS, PLAN_TYPES, type PlanType } from '@/lib/billing/plans/shared/limits';
import { EVENINGS, planFacts } from './plan-facts';

function Plan({ plan, offersSignup }: { plan: PlanType; offersSignup: boolean }) {
  const isFree = plan === 'Free';
  return (
    <li className="flex flex-col gap-5 py-8 md:px-10 md:first:pl-0 md:last:pr-0">
      <h3 className="text-16 font-semibold">{plan}</h3>
      <div className="flex grow flex-col gap-2">
        <p className="flex items-baseline gap-2">
          <span className="heading text-[48px] leading-none tabular-nums">${PLAN_LIMITS[plan].price}</span>
          <span className="text-15 text-ink-2">a month</span>
        </p>
        <p className="max-w-[26ch] font-serif text-[19px]/[1.35] text-balance">{EVENINGS[plan].text}</p>
      </div>
      <ul className="flex flex-col gap-1.5 text-15 text-ink-2">
        {planFacts(plan).map(({ amount, unit }) => (
          <li key={unit}>
            {amount} {unit}
          </li>
        ))}
      </ul>
      {offersSignup && (
        <div className="flex pt-2">
          <ButtonLink
            href={isFree ? '/signup' : `/signup?plan=${plan}`}
            prefetch={false}
            variant={isFree ? 'primary' : 'secondary'}
            className="max-md:w-full"
          >
            {isFree ? 'Start your journal' : `Choose ${plan}`}
          </ButtonLink>
        </div>
      )}
    </li>
  );
}

/** Lists the three plans with their limits, and a button for each. @param offersSignup whether anyone can sign up */
export function Plans({ offersSignup }: { offersSignup: boolean }) {
  return (
    <section aria-labelledby="plans" className="flex flex-col gap-8">
      <div className="flex flex-col gap-2">
        <h2 id="plans" className="heading heading-page">
          Three plans, one journal
        </h2>
        <p className="text-ink-2 text-pretty">
          Transcripts, search, captions, and full export belong to every plan. They differ only in how much
          they hold.
        </p>
      </div>
      <ul className="grid divide-line border-y border-line max-md:divide-y md:grid-cols-3 md:divide-x">
        {PLAN_TYPES.map((plan) => (
          <Plan key={plan} plan={plan} offersSignup={offersSignup} />
        ))}
      </ul>
    </section>
  );
}
