import type Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { entitledPlan, isRunning, parseSubscription, runningSubscription } from './subscription';

const OFFERS = {
  Basic: { price: 'price_basic', product: 'prod_basic' },
  Standard: { price: 'price_standard', product: 'prod_standard' },
};

/** Noon on the first of a month of 2026, in seconds since 1970, as Stripe has it. */
const first = (month: number) => Date.UTC(2026, month - 1, 1, 12) / 1000;
const dateOf = (seconds: number) => new Date(seconds * 1000);

/** A subscription to Basic in April, as Stripe returns it, as far as it's read. */
function fromStripe(more: object = {}, price: object = { id: 'price_basic', product: 'prod_basic' }) {
  const item = { id: 'si_1', current_period_start: first(4), current_period_end: first(5), price };
  return {
    ...{ id: 'sub_1', status: 'active', cancel_at: null, cancel_at_period_end: false },
    ...{ schedule: null, latest_invoice: { id: 'in_1', created: first(4) + 60 }, items: { data: [item] } },
    ...more,
  } as unknown as Stripe.Subscription;
}
const parse = (more: object = {}, price?: object) => parseSubscription(fromStripe(more, price), OFFERS);

describe('a subscription from Stripe', () => {
  it('has its plan, its period, and nothing else while all is well', () => {
    expect(parse()).toEqual({
      ...{ id: 'sub_1', item: 'si_1', plan: 'Basic', status: 'active', periodEnd: dateOf(first(5)) },
      ...{ graceEndsAt: null, nextPlan: null, changesAt: null },
    });
  });

  it.each([
    ['a newer price of the same product', { id: 'price_other', product: 'prod_standard' }, 'Standard'],
    ['a product that was fetched with it', { id: 'price_other', product: { id: 'prod_basic' } }, 'Basic'],
    ['a price of something else', { id: 'price_other', product: 'prod_other' }, null],
  ])('knows %s', (_, price, plan) => expect(parse({}, price).plan).toBe(plan));

  it('can’t be read without its item', () => {
    expect(() => parse({ items: { data: [] } })).toThrow('sub_1 has no item');
  });

  it.each([
    ['its latest invoice', { id: 'in_1', created: first(4) + 60 }, first(4) + 60],
    ['its period, without an invoice', null, first(4)],
    ['its period, if the invoice wasn’t fetched', 'in_1', first(4)],
  ])('that isn’t paid has 14 days from the start of %s', (_, latest_invoice, since) => {
    const { graceEndsAt } = parse({ status: 'past_due', latest_invoice });
    expect(graceEndsAt).toEqual(dateOf(since + 14 * 86_400));
  });

  const phase = (month: number, price: unknown) => ({
    start_date: first(month),
    items: price ? [{ price }] : [],
  });
  const schedule = (...phases: object[]) => ({
    schedule: { current_phase: { end_date: first(5) }, phases: [phase(4, 'price_basic'), ...phases] },
  });
  const price = { id: 'price_standard', product: 'prod_other' };

  it.each([
    ['ends when it says', { cancel_at: first(6) }, 'Free', first(6)],
    ['ends with its period', { cancel_at_period_end: true }, 'Free', first(5)],
    [
      'ends on a day before that',
      { cancel_at: first(4) + 5, cancel_at_period_end: true },
      'Free',
      first(4) + 5,
    ],
    ['changes to another price', schedule(phase(5, price)), 'Standard', first(5)],
    ['changes by a price’s id alone', schedule(phase(5, 'price_standard')), 'Standard', first(5)],
    ['changes in two steps', schedule(phase(5, 'price_basic'), phase(6, price)), 'Basic', first(5)],
    ['changes to what isn’t on sale', schedule(phase(5, 'price_gone')), null, first(5)],
    ['has no later phase', schedule(), null, null],
    ['has an empty phase', schedule(phase(5, null)), null, null],
    ['has a schedule that wasn’t fetched', { schedule: 'sub_sched_1' }, null, null],
    ['ends, whatever its schedule', { ...schedule(phase(5, price)), cancel_at: first(7) }, 'Free', first(7)],
  ])('that %s', (_, more, nextPlan, at) => {
    expect(parse(more)).toMatchObject({ nextPlan, changesAt: at === null ? null : dateOf(at) });
  });
});

describe('the plan of an account', () => {
  const [basic, standard] = [parse(), parse({}, { id: 'price_standard', product: 'prod_standard' })];

  it.each([
    ['active', true],
    ['trialing', true],
    ['past_due', false],
    ['incomplete', false],
    ['incomplete_expired', false],
    ['unpaid', false],
    ['canceled', false],
    ['paused', false],
  ])('is granted while its subscription is %s: %s', (status, granted) => {
    expect(entitledPlan([{ ...basic, status }])).toBe(granted ? 'Basic' : 'Free');
  });

  it('stays for 14 days after a failed payment, and not a moment longer', () => {
    const unpaid = parse({ status: 'past_due' });
    const end = unpaid.graceEndsAt?.getTime() ?? 0;
    expect(entitledPlan([unpaid], new Date(end - 1))).toBe('Basic');
    expect(entitledPlan([unpaid], new Date(end))).toBe('Free');
  });

  it('is the best of those that are granted', () => {
    expect(entitledPlan([])).toBe('Free');
    expect([entitledPlan([basic, standard]), entitledPlan([standard, basic])]).toEqual([
      'Standard',
      'Standard',
    ]);
    expect(entitledPlan([basic, { ...standard, status: 'canceled' }])).toBe('Basic');
    expect(entitledPlan([{ ...basic, plan: null }])).toBe('Free');
  });

  it('is changed by the first subscription that runs, paid or not', () => {
    const ended = ['incomplete', 'incomplete_expired', 'canceled'].map((status) => ({ ...basic, status }));
    expect(ended.filter(isRunning)).toEqual([]);
    for (const status of ['active', 'trialing', 'past_due', 'unpaid', 'paused']) {
      const running = { ...standard, status };
      expect(runningSubscription([...ended, running, basic])).toBe(running);
    }
    expect(runningSubscription(ended)).toBeUndefined();
  });
});
