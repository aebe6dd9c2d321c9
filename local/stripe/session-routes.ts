import { emit } from './billing';
import { stripeError } from './errors';
import { asForm, asList, asText, asTextRecord, type Form } from './form';
import { allowedPrices } from './portal-configuration';
import {
  getOrThrow,
  paginate,
  type RequestContext,
  type RouteHandler,
  requireActiveCustomer,
  requireText,
} from './routes';
import { serializeCheckout, serializeConfiguration, serializePortal } from './serializers';
import { type CheckoutSession, newId, type PortalFlow, type Store } from './store';
import { priceOf } from './subscriptions';

/** A Checkout page is open for a day. Seconds. */
const CHECKOUT_LIFETIME_SECONDS = 86_400;

const showCheckout = (store: Store, site: string, checkout: CheckoutSession) =>
  serializeCheckout(checkout, priceOf(store, checkout.price), `${site}/c/pay/${checkout.id}`);

/** Expires the sessions that were not paid in time. */
export function expireOldCheckouts(store: Store, site: string): void {
  for (const checkout of Object.values(store.state.checkouts)) {
    if (checkout.status === 'open' && checkout.expires <= store.now()) expireCheckout(store, site, checkout);
  }
}

function expireCheckout(store: Store, site: string, checkout: CheckoutSession): void {
  checkout.status = 'expired';
  emit(store, 'checkout.session.expired', showCheckout(store, site, checkout));
}

export function completeCheckout(store: Store, site: string, checkout: CheckoutSession): void {
  checkout.status = 'complete';
  emit(store, 'checkout.session.completed', showCheckout(store, site, checkout));
}

function createCheckout({ store, form }: RequestContext): CheckoutSession {
  if (asText(form.mode) !== 'subscription') {
    throw stripeError({
      param: 'mode',
      message: 'The local Stripe implements subscriptions only: mode must be subscription.',
    });
  }
  const customer = requireActiveCustomer(store, requireText(form, 'customer')).id;
  const items = asList(form.line_items).map(asForm);
  const price = requireText(items[0] ?? {}, 'price');
  if (items.length !== 1)
    throw stripeError({ param: 'line_items', message: 'The local Stripe implements one line item only.' });
  priceOf(store, price);
  const data = asForm(form.subscription_data);
  const checkout: CheckoutSession = {
    id: newId('cs_test'),
    customer,
    price,
    status: 'open',
    created: store.now(),
    expires: store.now() + CHECKOUT_LIFETIME_SECONDS,
    successUrl: requireText(form, 'success_url'),
    cancelUrl: asText(form.cancel_url) ?? null,
    metadata: asTextRecord(form.metadata),
    subscriptionMetadata: asTextRecord(data.metadata),
    subscription: null,
  };
  store.state.checkouts[checkout.id] = checkout;
  return checkout;
}

function readFlow(store: Store, data: Form, allowed: string[]): PortalFlow | null {
  const type = asText(data.type);
  if (!type) return null;
  const completion = asForm(data.after_completion);
  const after = asText(asForm(completion.redirect).return_url) ?? null;
  if (type !== 'subscription_update_confirm' && type !== 'subscription_cancel') {
    throw stripeError({
      param: 'flow_data[type]',
      message: `The local Stripe doesn't implement the flow ${type}.`,
    });
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
  return { type, subscription: subscription.id, price, after };
}

/** Returns the routes of Checkout and the portal, which need the stand-in's own address. */
export function sessionRoutes(site: string) {
  return {
    'POST /v1/checkout/sessions': (call) => showCheckout(call.store, site, createCheckout(call)),
    'GET /v1/checkout/sessions/:id': ({ store, id }) =>
      showCheckout(store, site, getOrThrow(store.state.checkouts, 'checkout.session', id)),
    'POST /v1/checkout/sessions/:id/expire': ({ store, id }) => {
      const checkout = getOrThrow(store.state.checkouts, 'checkout.session', id);
      if (checkout.status !== 'open') {
        throw stripeError({ message: `Only open sessions can be expired; this one is ${checkout.status}.` });
      }
      expireCheckout(store, site, checkout);
      return showCheckout(store, site, checkout);
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
        id: newId('bps'),
        secret: newId('ps'),
        customer,
        configuration: configuration.id,
        flow,
        returnUrl: asText(form.return_url) ?? null,
      };
      store.state.portals[portal.secret] = portal;
      return serializePortal(portal, `${site}/p/session/${portal.secret}`);
    },
    'POST /v1/billing_portal/configurations': ({ store, form }) => {
      const id = newId('bpc');
      const configuration = {
        id,
        created: store.now(),
        metadata: asTextRecord(form.metadata),
        features: asForm(form.features),
      };
      store.state.configurations[id] = configuration;
      return serializeConfiguration(configuration);
    },
    'GET /v1/billing_portal/configurations': ({ store, form }) =>
      paginate(
        Object.values(store.state.configurations),
        form,
        '/v1/billing_portal/configurations',
        serializeConfiguration,
      ),
  } satisfies Record<string, RouteHandler>;
}
