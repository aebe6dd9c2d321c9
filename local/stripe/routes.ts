import { deleteCustomer, emit, endSubscription, readCard } from './billing';
import { resourceMissing, stripeError } from './errors';
import { asForm, asList, asNumber, asText, asTextRecord, type Form } from './form';
import {
  presentCharge,
  presentDispute,
  presentInvoice,
  presentRefund,
  presentSchedule,
} from './payment-serializers';
import { list, presentCustomer, presentPrice, presentProduct, presentSubscription } from './serializers';
import { type Customer, newId, type Store, type Subscription } from './store';
import { cancelAtPeriodEnd, changeNow, payOpenInvoice, processDueRenewals, subscribe } from './subscriptions';
import { presentStoredEvent } from './webhooks';

export type RequestContext = { store: Store; id: string; form: Form };
export type RouteHandler = (call: RequestContext) => unknown;

/** The record of an id, or Stripe's answer to one it does not know. */
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

/** Newest first, a page of 10 unless `limit` says, after or before an id: as every list of Stripe's. */
export function paginate<Item extends { id: string; created: number }, Shown extends { id: string }>(
  items: Item[],
  form: Form,
  url: string,
  show: (item: Item) => Shown,
) {
  const limit = asNumber(form.limit) ?? 10;
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
    throw stripeError({ param: 'limit', message: 'Invalid limit: must be from 1 to 100.' });
  }
  const since = asNumber(asForm(form.created).gte) ?? 0;
  const sorted = items.reverse().filter(({ created }) => created >= since);
  const [after, before] = [asText(form.starting_after), asText(form.ending_before)];
  const place = (id: string) => sorted.findIndex((item) => item.id === id);
  const from = after ? place(after) + 1 : before ? Math.max(0, place(before) - limit) : 0;
  const to = before ? place(before) : from + limit;
  const more = before ? from > 0 : to < sorted.length;
  return list(sorted.slice(from, to).map(show), url, more);
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

function matchesStatus(subscription: Subscription, wanted: string | undefined): boolean {
  if (wanted === 'all') return true;
  return wanted ? subscription.status === wanted : subscription.status !== 'canceled';
}

const showSubscription = (store: Store) => (one: Subscription) => presentSubscription(store.state, one);

/** The address of a form. Stripe takes ASCII only. */
function readEmail(form: Form): string | undefined {
  const email = asText(form.email);
  if (email === undefined || /^[!-?A-~]+@[!-?A-~]+\.[!-?A-~]+$/.test(email)) return email;
  throw stripeError({ code: 'email_invalid', param: 'email', message: `Invalid email address: ${email}` });
}

export const customerRoutes = {
  'POST /v1/customers': ({ store, form }) => {
    const id = newId('cus');
    const card = asText(form.source);
    const customer: Customer = {
      ...{ id, email: readEmail(form) ?? null, name: asText(form.name) ?? null },
      ...{ metadata: asTextRecord(form.metadata), created: store.now(), deleted: false },
      card: card ? readCard(card) : null,
    };
    store.state.customers[id] = customer;
    emit(store, 'customer.created', presentCustomer(customer));
    return presentCustomer(customer);
  },
  'GET /v1/customers': ({ store, form }) => {
    const living = Object.values(store.state.customers).filter((one) => !one.deleted);
    const email = asText(form.email);
    const matching = living.filter((one) => email === undefined || one.email === email);
    return paginate(matching, form, '/v1/customers', presentCustomer);
  },
  'GET /v1/customers/:id': ({ store, id }) =>
    presentCustomer(getOrThrow(store.state.customers, 'customer', id)),
  'POST /v1/customers/:id': ({ store, id, form }) => {
    const customer = requireActiveCustomer(store, id);
    customer.email = readEmail(form) ?? customer.email;
    customer.name = asText(form.name) ?? customer.name;
    Object.assign(customer.metadata, asTextRecord(form.metadata));
    const card = asText(form.source);
    if (card) customer.card = readCard(card);
    emit(store, 'customer.updated', presentCustomer(customer));
    return presentCustomer(customer);
  },
  'DELETE /v1/customers/:id': ({ store, id }) => {
    const customer = getOrThrow(store.state.customers, 'customer', id);
    if (!customer.deleted) deleteCustomer(store, customer);
    return presentCustomer(customer);
  },
} satisfies Record<string, RouteHandler>;

export const catalog = {
  'POST /v1/products': ({ store, form }) => {
    const product = { id: newId('prod'), name: requireText(form, 'name'), created: store.now() };
    store.state.products[product.id] = product;
    return presentProduct(product);
  },
  'POST /v1/prices': ({ store, form }) => {
    const product = getOrThrow(store.state.products, 'product', requireText(form, 'product'), 'product');
    const price = {
      ...{ id: newId('price'), product: product.id, lookupKey: asText(form.lookup_key) ?? null },
      ...{ amount: Number(requireText(form, 'unit_amount')), active: true, created: store.now() },
    };
    store.state.prices[price.id] = price;
    return presentPrice(price);
  },
  'GET /v1/products/:id': ({ store, id }) => presentProduct(getOrThrow(store.state.products, 'product', id)),
  'GET /v1/prices/:id': ({ store, id }) => presentPrice(getOrThrow(store.state.prices, 'price', id)),
  'GET /v1/prices': ({ store, form }) => {
    const keys = asList(form.lookup_keys);
    const matching = Object.values(store.state.prices).filter(
      ({ lookupKey, active }) =>
        (keys.length === 0 || (lookupKey !== null && keys.includes(lookupKey))) &&
        (form.active === undefined || String(active) === form.active),
    );
    return paginate(matching, form, '/v1/prices', presentPrice);
  },
} satisfies Record<string, RouteHandler>;

export const subscriptionRoutes = {
  'POST /v1/subscriptions': ({ store, form }) => {
    const customer = requireActiveCustomer(store, requireText(form, 'customer')).id;
    const price = requireText(asForm(asList(form.items)[0]), 'price');
    const trialDays = asNumber(form.trial_period_days) ?? null;
    const wish = { customer, price, trialDays, metadata: asTextRecord(form.metadata) };
    return presentSubscription(store.state, subscribe(store, wish));
  },
  'GET /v1/subscriptions': ({ store, form }) => {
    const customer = asText(form.customer);
    if (customer) requireActiveCustomer(store, customer);
    const matching = filterByCustomer(store.state.subscriptions, form).filter((one) =>
      matchesStatus(one, asText(form.status)),
    );
    return paginate(matching, form, '/v1/subscriptions', showSubscription(store));
  },
  'GET /v1/subscriptions/:id': ({ store, id }) =>
    presentSubscription(store.state, getOrThrow(store.state.subscriptions, 'subscription', id)),
  'POST /v1/subscriptions/:id': ({ store, id, form }) => {
    const subscription = getOrThrow(store.state.subscriptions, 'subscription', id);
    const price = asText(asForm(asList(form.items)[0]).price);
    if (price && price !== subscription.price) changeNow(store, subscription, price);
    const cancel = asText(form.cancel_at_period_end);
    if (cancel) cancelAtPeriodEnd(store, subscription, cancel === 'true');
    return presentSubscription(store.state, subscription);
  },
  'DELETE /v1/subscriptions/:id': ({ store, id }) => {
    const subscription = getOrThrow(store.state.subscriptions, 'subscription', id);
    if (subscription.status === 'canceled') throw resourceMissing('subscription', id);
    endSubscription(store, subscription, 'cancellation_requested');
    return presentSubscription(store.state, subscription);
  },
  'GET /v1/subscription_schedules/:id': ({ store, id }) =>
    presentSchedule(getOrThrow(store.state.schedules, 'subscription_schedule', id)),
} satisfies Record<string, RouteHandler>;

export const payments = {
  'GET /v1/invoices': ({ store, form }) =>
    paginate(filterByCustomer(store.state.invoices, form), form, '/v1/invoices', (invoice) =>
      presentInvoice(invoice, store.state.customers[invoice.customer]),
    ),
  'GET /v1/invoices/:id': ({ store, id }) => {
    const invoice = getOrThrow(store.state.invoices, 'invoice', id);
    return presentInvoice(invoice, store.state.customers[invoice.customer]);
  },
  'POST /v1/invoices/:id/pay': ({ store, id }) => {
    const invoice = getOrThrow(store.state.invoices, 'invoice', id);
    const subscription = getOrThrow(store.state.subscriptions, 'subscription', invoice.subscription);
    payOpenInvoice(store, subscription);
    return presentInvoice(invoice, store.state.customers[invoice.customer]);
  },
  'GET /v1/charges': ({ store, form }) =>
    paginate(filterByCustomer(store.state.charges, form), form, '/v1/charges', presentCharge),
  'GET /v1/charges/:id': ({ store, id }) => presentCharge(getOrThrow(store.state.charges, 'charge', id)),
  'GET /v1/disputes/:id': ({ store, id }) => presentDispute(getOrThrow(store.state.disputes, 'dispute', id)),
  'POST /v1/refunds': ({ store, form }) => {
    const charge = getOrThrow(store.state.charges, 'charge', requireText(form, 'charge'), 'charge');
    const amount = asNumber(form.amount) ?? charge.amount - charge.refunded;
    if (amount <= 0 || charge.refunded + amount > charge.amount) {
      throw stripeError({ code: 'charge_already_refunded', message: 'There is not so much left to refund.' });
    }
    charge.refunded += amount;
    const refund = { id: newId('re'), charge: charge.id, amount, created: store.now() };
    store.state.refunds[refund.id] = refund;
    emit(store, 'charge.refunded', presentCharge(charge));
    return presentRefund(refund, charge);
  },
} satisfies Record<string, RouteHandler>;

export const eventRoutes = {
  'GET /v1/events': ({ store, form }) => {
    const types = [...asList(form.types), ...asList(form.type)];
    const matching = Object.values(store.state.events).filter(
      ({ type }) => types.length === 0 || types.includes(type),
    );
    return paginate(matching, form, '/v1/events', presentStoredEvent);
  },
  'GET /v1/events/:id': ({ store, id }) => presentStoredEvent(getOrThrow(store.state.events, 'event', id)),
} satisfies Record<string, RouteHandler>;

export const clockRoutes = {
  /**
   * The till's own and not Stripe's: moves its clock ahead by `seconds`, for all customers, and does what falls due.
   * Stripe's test clocks belong to a customer from its creation, and the app creates its customers without one.
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
