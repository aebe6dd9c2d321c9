import { emit, requireCustomer } from './billing';
import { stripeError } from './errors';
import { asForm, asList, asNumber, asText, asTextRecord, type Form } from './form';
import {
  getOrThrow,
  paginate,
  type RequestContext,
  type RouteHandler,
  requireActiveCustomer,
  requireText,
} from './routes';
import { allowedPrices, presentCheckout, presentConfiguration, presentPortal } from './session-serializers';
import { type CheckoutSession, newId, type PortalFlow, type Store } from './store';
import { priceOf } from './subscriptions';

/** A Checkout page is open for a day. Seconds. */
const CHECKOUT_LIFETIME_SECONDS = 86_400;

const serializeCheckout = (store: Store, site: string, checkout: CheckoutSession) =>
  presentCheckout(
    checkout,
    priceOf(store, checkout.price),
    requireCustomer(store, checkout.customer),
    `${site}/c/pay/${checkout.id}`,
  );

/** Closes what was not paid in time. */
export function expireOldCheckouts(store: Store, site: string): void {
  for (const checkout of Object.values(store.state.checkouts)) {
    if (checkout.status === 'open' && checkout.expires <= store.now()) expireCheckout(store, site, checkout);
  }
}

function expireCheckout(store: Store, site: string, checkout: CheckoutSession): void {
  checkout.status = 'expired';
  emit(store, 'checkout.session.expired', serializeCheckout(store, site, checkout));
}

export function completeCheckout(store: Store, site: string, checkout: CheckoutSession): void {
  checkout.status = 'complete';
  emit(store, 'checkout.session.completed', serializeCheckout(store, site, checkout));
}

function createCheckout({ store, form }: RequestContext): CheckoutSession {
  if (asText(form.mode) !== 'subscription') {
    throw stripeError({
      param: 'mode',
      message: 'The till sells subscriptions only: mode must be subscription.',
    });
  }
  const customer = requireActiveCustomer(store, requireText(form, 'customer')).id;
  const items = asList(form.line_items).map(asForm);
  const price = requireText(items[0] ?? {}, 'price');
  if (items.length !== 1)
    throw stripeError({ param: 'line_items', message: 'The till sells one thing at a time.' });
  priceOf(store, price);
  const data = asForm(form.subscription_data);
  const checkout: CheckoutSession = {
    ...{ id: newId('cs_test'), customer, price, status: 'open', created: store.now() },
    expires: asNumber(form.expires_at) ?? store.now() + CHECKOUT_LIFETIME_SECONDS,
    successUrl: requireText(form, 'success_url'),
    cancelUrl: asText(form.cancel_url) ?? null,
    reference: asText(form.client_reference_id) ?? null,
    metadata: asTextRecord(form.metadata),
    subscriptionMetadata: asTextRecord(data.metadata),
    trialDays: asNumber(data.trial_period_days) ?? null,
    subscription: null,
    invoice: null,
  };
  store.state.checkouts[checkout.id] = checkout;
  return checkout;
}

function readFlow(store: Store, data: Form, allowed: string[]): PortalFlow | null {
  const type = asText(data.type);
  if (!type) return null;
  const completion = asForm(data.after_completion);
  const after = asText(asForm(completion.redirect).return_url) ?? null;
  if (type === 'payment_method_update') return { type, after };
  if (type !== 'subscription_update_confirm' && type !== 'subscription_cancel') {
    throw stripeError({ param: 'flow_data[type]', message: `The till does not know the flow ${type}.` });
  }
  const details = asForm(data[type]);
  const subscription = getOrThrow(
    store.state.subscriptions,
    'subscription',
    requireText(details, 'subscription'),
    'flow_data',
  );
  if (subscription.status === 'canceled') throw stripeError({ message: 'This subscription has ended.' });
  if (type === 'subscription_cancel') return { type, subscription: subscription.id, after };
  const item = asForm(asList(details.items)[0]);
  const price = requireText(item, 'price');
  if (!allowed.includes(price)) {
    throw stripeError({ message: `The portal's configuration does not offer the price ${price}.` });
  }
  if (price === subscription.price) throw stripeError({ message: 'There are no changes to confirm.' });
  return { type, subscription: subscription.id, item: requireText(item, 'id'), price, after };
}

/** Checkout and portal: what needs the till's own address. */
export function sessionRoutes(site: string) {
  return {
    'POST /v1/checkout/sessions': (call) => serializeCheckout(call.store, site, createCheckout(call)),
    'GET /v1/checkout/sessions': ({ store, form }) => {
      const customer = asText(form.customer);
      const matching = Object.values(store.state.checkouts).filter(
        (one) => customer === undefined || one.customer === customer,
      );
      return paginate(matching, form, '/v1/checkout/sessions', (one) => serializeCheckout(store, site, one));
    },
    'GET /v1/checkout/sessions/:id': ({ store, id }) =>
      serializeCheckout(store, site, getOrThrow(store.state.checkouts, 'checkout.session', id)),
    'POST /v1/checkout/sessions/:id/expire': ({ store, id }) => {
      const checkout = getOrThrow(store.state.checkouts, 'checkout.session', id);
      if (checkout.status !== 'open') {
        throw stripeError({ message: `Only open sessions can be expired; this one is ${checkout.status}.` });
      }
      expireCheckout(store, site, checkout);
      return serializeCheckout(store, site, checkout);
    },
    'POST /v1/billing_portal/sessions': ({ store, form }) => {
      const customer = requireActiveCustomer(store, requireText(form, 'customer')).id;
      const configuration = getOrThrow(
        store.state.configurations,
        'configuration',
        requireText(form, 'configuration'),
        'configuration',
      );
      const flow = readFlow(store, asForm(form.flow_data), allowedPrices(configuration));
      const portal = {
        ...{ id: newId('bps'), secret: newId('ps'), customer, configuration: configuration.id, flow },
        ...{ created: store.now(), returnUrl: asText(form.return_url) ?? null },
      };
      store.state.portals[portal.secret] = portal;
      return presentPortal(portal, `${site}/p/session/${portal.secret}`);
    },
    'POST /v1/billing_portal/configurations': ({ store, form }) => {
      const id = newId('bpc');
      const configuration = {
        ...{ id, created: store.now(), active: true },
        ...{ metadata: asTextRecord(form.metadata), features: asForm(form.features) },
      };
      store.state.configurations[id] = configuration;
      return presentConfiguration(configuration);
    },
    'GET /v1/billing_portal/configurations': ({ store, form }) =>
      paginate(
        Object.values(store.state.configurations),
        form,
        '/v1/billing_portal/configurations',
        presentConfiguration,
      ),
  } satisfies Record<string, RouteHandler>;
}
