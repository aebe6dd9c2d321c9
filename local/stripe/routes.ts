import { deleteCustomer, emit, endSubscription, readCard } from './billing';
import { resourceMissing, stripeError } from './errors';
import { asForm, asList, asNumber, asText, asTextRecord, type Form } from './form';
import {
  list,
  serializeCharge,
  serializeCustomer,
  serializePrice,
  serializeSubscription,
} from './serializers';
import { type Customer, newId, type Store, type Subscription } from './store';
import { processDueRenewals, subscribe } from './subscriptions';
import { serializeEvent } from './webhooks';

export type RequestContext = { store: Store; id: string; form: Form };
export type RouteHandler = (call: RequestContext) => unknown;

/** Returns the record of an id. Throws Stripe's `resource_missing`. */
export function getOrThrow<Item>(table: Record<string, Item>, kind: string, id: string, param = 'id'): Item {
  const item = table[id];
  if (!item) throw resourceMissing(kind, id, param, param === 'id' ? 404 : 400);
  return item;
}

export function requireText(form: Form, name: string): string {
  const value = asText(form[name]);
  if (value === undefined) {
    throw stripeError({
      code: 'parameter_missing',
      param: name,
      message: `Missing required param: ${name}.`,
    });
  }
  return value;
}

/** Returns a page, newest first: `limit` items (10 by default) that come after `starting_after`. */
export function paginate<Item extends { id: string }, Shown extends { id: string }>(
  items: Item[],
  form: Form,
  url: string,
  show: (item: Item) => Shown,
) {
  const limit = asNumber(form.limit) ?? 10;
  const sorted = items.toReversed();
  const from = sorted.findIndex(({ id }) => id === form.starting_after) + 1;
  const page = sorted.slice(from, from + limit);
  return list(page.map(show), url, from + limit < sorted.length);
}

export function requireActiveCustomer(store: Store, id: string): Customer {
  const customer = getOrThrow(store.state.customers, 'customer', id, 'customer');
  if (customer.deleted) throw resourceMissing('customer', id, 'customer', 400);
  return customer;
}

function filterByCustomer<Item extends { customer: string }>(
  items: Record<string, Item>,
  form: Form,
): Item[] {
  const customer = asText(form.customer);
  return Object.values(items).filter((item) => customer === undefined || item.customer === customer);
}

const showSubscription = (store: Store) => (one: Subscription) => serializeSubscription(store.state, one);

/** Reads the email address of a form. Stripe accepts ASCII only. */
function readEmail(form: Form): string | undefined {
  const email = asText(form.email);
  if (email === undefined || /^[!-?A-~]+@[!-?A-~]+\.[!-?A-~]+$/.test(email)) return email;
  throw stripeError({ code: 'email_invalid', param: 'email', message: `Invalid email address: ${email}` });
}

/** Merges the form's metadata into an object's. An empty value clears all of it, as at Stripe. */
const updateMetadata = (metadata: Record<string, string>, form: Form): Record<string, string> =>
  form.metadata === '' ? {} : { ...metadata, ...asTextRecord(form.metadata) };

export const customerRoutes = {
  'POST /v1/customers': ({ store, form }) => {
    const id = newId('cus');
    const card = asText(form.source);
    const customer: Customer = {
      id,
      email: readEmail(form) ?? null,
      metadata: asTextRecord(form.metadata),
      created: store.now(),
      deleted: false,
      card: card ? readCard(card) : null,
    };
    store.state.customers[id] = customer;
    emit(store, 'customer.created', serializeCustomer(customer));
    return serializeCustomer(customer);
  },
  'GET /v1/customers/:id': ({ store, id }) =>
    serializeCustomer(getOrThrow(store.state.customers, 'customer', id)),
  'POST /v1/customers/:id': ({ store, id, form }) => {
    const customer = requireActiveCustomer(store, id);
    customer.email = form.email === '' ? null : (readEmail(form) ?? customer.email);
    customer.metadata = updateMetadata(customer.metadata, form);
    const card = asText(form.source);
    if (card) customer.card = readCard(card);
    emit(store, 'customer.updated', serializeCustomer(customer));
    return serializeCustomer(customer);
  },
  'DELETE /v1/customers/:id': ({ store, id }) => {
    const customer = getOrThrow(store.state.customers, 'customer', id);
    if (!customer.deleted) deleteCustomer(store, customer);
    return serializeCustomer(customer);
  },
} satisfies Record<string, RouteHandler>;

export const priceRoutes = {
  'GET /v1/prices/:id': ({ store, id }) => serializePrice(getOrThrow(store.state.prices, 'price', id)),
  'GET /v1/prices': ({ store, form }) => {
    const keys = asList(form.lookup_keys);
    const found = Object.values(store.state.prices).filter(({ lookupKey }) => keys.includes(lookupKey ?? ''));
    return paginate(found, form, '/v1/prices', serializePrice);
  },
} satisfies Record<string, RouteHandler>;

export const subscriptionRoutes = {
  'POST /v1/subscriptions': ({ store, form }) => {
    const customer = requireActiveCustomer(store, requireText(form, 'customer')).id;
    const price = requireText(asForm(asList(form.items)[0]), 'price');
    const trialDays = asNumber(form.trial_period_days) ?? null;
    const input = { customer, price, trialDays, metadata: asTextRecord(form.metadata) };
    return serializeSubscription(store.state, subscribe(store, input));
  },
  'GET /v1/subscriptions': ({ store, form }) => {
    const customer = asText(form.customer);
    if (customer) requireActiveCustomer(store, customer);
    const matching = filterByCustomer(store.state.subscriptions, form).filter(
      ({ status }) => status !== 'canceled' || form.status === 'all',
    );
    return paginate(matching, form, '/v1/subscriptions', showSubscription(store));
  },
  'GET /v1/subscriptions/:id': ({ store, id }) =>
    serializeSubscription(store.state, getOrThrow(store.state.subscriptions, 'subscription', id)),
  'DELETE /v1/subscriptions/:id': ({ store, id }) => {
    const subscription = getOrThrow(store.state.subscriptions, 'subscription', id);
    if (subscription.status === 'canceled') throw resourceMissing('subscription', id);
    endSubscription(store, subscription, 'cancellation_requested');
    return serializeSubscription(store.state, subscription);
  },
} satisfies Record<string, RouteHandler>;

export const paymentRoutes = {
  'GET /v1/charges': ({ store, form }) =>
    paginate(filterByCustomer(store.state.charges, form), form, '/v1/charges', serializeCharge),
  'GET /v1/charges/:id': ({ store, id }) => serializeCharge(getOrThrow(store.state.charges, 'charge', id)),
  'POST /v1/refunds': ({ store, form }) => {
    const charge = getOrThrow(store.state.charges, 'charge', requireText(form, 'charge'), 'charge');
    emit(store, 'charge.refunded', serializeCharge(charge));
    return { id: newId('re'), object: 'refund', charge: charge.id, status: 'succeeded' };
  },
} satisfies Record<string, RouteHandler>;

export const eventRoutes = {
  'GET /v1/events': ({ store, form }) => {
    const types = asList(form.types);
    const since = asNumber(asForm(form.created).gte) ?? 0;
    const matching = Object.values(store.state.events).filter(
      ({ type, created }) => types.includes(type) && created >= since,
    );
    return paginate(matching, form, '/v1/events', serializeEvent);
  },
} satisfies Record<string, RouteHandler>;

export const clockRoutes = {
  /**
   * Not part of Stripe's API: moves the stand-in's clock ahead by `seconds` for all customers, and does what falls due.
   * Stripe's test clocks belong to customers that were created with one, and the app's aren't.
   */
  'POST /test/clock/advance': ({ store, form }) => {
    const seconds = asNumber(form.seconds);
    if (seconds === undefined || seconds < 0)
      throw stripeError({ param: 'seconds', message: 'How many seconds?' });
    store.state.ahead += seconds;
    processDueRenewals(store, store.now());
    return { object: 'test.clock', now: store.now() };
  },
} satisfies Record<string, RouteHandler>;
