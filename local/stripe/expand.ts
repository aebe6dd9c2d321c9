import { stripeError } from './errors';
import { presentCharge, presentDispute, presentInvoice, presentSchedule } from './payment-serializers';
import { list, presentCustomer, presentPrice, presentProduct, presentSubscription } from './serializers';
import type { State } from './store';

type Json = Record<string, unknown>;

/** The object of an id, as it is shown. */
function lookUp(state: State, id: string): unknown {
  const finders: Record<string, () => unknown> = {
    cus: () => state.customers[id] && presentCustomer(state.customers[id]),
    prod: () => state.products[id] && presentProduct(state.products[id]),
    price: () => state.prices[id] && presentPrice(state.prices[id]),
    sub: () => state.subscriptions[id] && presentSubscription(state, state.subscriptions[id]),
    sub_sched: () => state.schedules[id] && presentSchedule(state.schedules[id]),
    in: () => {
      const invoice = state.invoices[id];
      return invoice && presentInvoice(invoice, state.customers[invoice.customer]);
    },
    ch: () => state.charges[id] && presentCharge(state.charges[id]),
    du: () => state.disputes[id] && presentDispute(state.disputes[id]),
  };
  return finders[id.slice(0, id.lastIndexOf('_'))]?.();
}

/** A customer's subscriptions that have not ended: shown in the customer only when they are asked for. */
function subscriptionsOf(state: State, customer: string) {
  const running = Object.values(state.subscriptions)
    .filter((one) => one.customer === customer && one.status !== 'canceled')
    .reverse();
  const url = `/v1/customers/${customer}/subscriptions`;
  return list(
    running.map((one) => presentSubscription(state, one)),
    url,
  );
}

function expandOne(state: State, holder: Json, path: string[], whole: string): void {
  const [name = '', ...rest] = path;
  if (holder.object === 'customer' && name === 'subscriptions' && !holder.deleted) {
    holder.subscriptions ??= subscriptionsOf(state, String(holder.id));
  }
  const value = holder[name];
  if (typeof value === 'string') holder[name] = lookUp(state, value);
  const found = holder[name];
  if (found === undefined) {
    if (holder.deleted) return;
    throw stripeError({ message: `This property cannot be expanded (${whole}).` });
  }
  if (rest.length === 0 || found === null) return;
  for (const inner of Array.isArray(found) ? found : [found]) expandOne(state, inner as Json, rest, whole);
}

/** Replaces ids in an answer by their objects, as `expand` asks; four levels deep at most, as at Stripe. */
export function expand(state: State, answer: unknown, paths: string[]): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(answer));
  for (const path of paths) {
    const names = path.split('.');
    if (names.length > 4)
      throw stripeError({ message: 'You cannot expand more than 4 levels of a property.' });
    expandOne(state, copy as Json, names, path);
  }
  return copy;
}
