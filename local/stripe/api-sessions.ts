import { type Answer, type Call, found, livingCustomer, page, requireText } from './api';
import { priceOf } from './changes';
import { failure } from './errors';
import { asForm, asList, asNumber, asText, asTexts, type Form } from './form';
import { customerOf, emit } from './ledger';
import { allowedPrices, presentCheckout, presentConfiguration, presentPortal } from './shapes-sessions';
import { type Checkout, newId, type PortalFlow, type Store } from './store';

/** A Checkout page is open for a day. Seconds. */
const OPEN_FOR = 86_400;

const showCheckout = (store: Store, site: string, checkout: Checkout) =>
  presentCheckout(
    checkout,
    priceOf(store, checkout.price),
    customerOf(store, checkout.customer),
    `${site}/c/pay/${checkout.id}`,
  );

/** Closes what was not paid in time. */
export function expireOldCheckouts(store: Store, site: string): void {
  for (const checkout of Object.values(store.state.checkouts)) {
    if (checkout.status === 'open' && checkout.expires <= store.now()) expireCheckout(store, site, checkout);
  }
}

function expireCheckout(store: Store, site: string, checkout: Checkout): void {
  checkout.status = 'expired';
  emit(store, 'checkout.session.expired', showCheckout(store, site, checkout));
}

export function completeCheckout(store: Store, site: string, checkout: Checkout): void {
  checkout.status = 'complete';
  emit(store, 'checkout.session.completed', showCheckout(store, site, checkout));
}

function createCheckout({ store, form }: Call): Checkout {
  if (asText(form.mode) !== 'subscription') {
    throw failure({
      param: 'mode',
      message: 'The till sells subscriptions only: mode must be subscription.',
    });
  }
  const customer = livingCustomer(store, requireText(form, 'customer')).id;
  const items = asList(form.line_items).map(asForm);
  const price = requireText(items[0] ?? {}, 'price');
  if (items.length !== 1)
    throw failure({ param: 'line_items', message: 'The till sells one thing at a time.' });
  priceOf(store, price);
  const data = asForm(form.subscription_data);
  const checkout: Checkout = {
    ...{ id: newId('cs_test'), customer, price, status: 'open', created: store.now() },
    expires: asNumber(form.expires_at) ?? store.now() + OPEN_FOR,
    successUrl: requireText(form, 'success_url'),
    cancelUrl: asText(form.cancel_url) ?? null,
    reference: asText(form.client_reference_id) ?? null,
    metadata: asTexts(form.metadata),
    subscriptionMetadata: asTexts(data.metadata),
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
    throw failure({ param: 'flow_data[type]', message: `The till does not know the flow ${type}.` });
  }
  const details = asForm(data[type]);
  const subscription = found(
    store.state.subscriptions,
    'subscription',
    requireText(details, 'subscription'),
    'flow_data',
  );
  if (subscription.status === 'canceled') throw failure({ message: 'This subscription has ended.' });
  if (type === 'subscription_cancel') return { type, subscription: subscription.id, after };
  const item = asForm(asList(details.items)[0]);
  const price = requireText(item, 'price');
  if (!allowed.includes(price)) {
    throw failure({ message: `The portal's configuration does not offer the price ${price}.` });
  }
  if (price === subscription.price) throw failure({ message: 'There are no changes to confirm.' });
  return { type, subscription: subscription.id, item: requireText(item, 'id'), price, after };
}

/** Checkout and portal: what needs the till's own address. */
export function sessions(site: string) {
  return {
    'POST /v1/checkout/sessions': (call) => showCheckout(call.store, site, createCheckout(call)),
    'GET /v1/checkout/sessions': ({ store, form }) => {
      const customer = asText(form.customer);
      const matching = Object.values(store.state.checkouts).filter(
        (one) => customer === undefined || one.customer === customer,
      );
      return page(matching, form, '/v1/checkout/sessions', (one) => showCheckout(store, site, one));
    },
    'GET /v1/checkout/sessions/:id': ({ store, id }) =>
      showCheckout(store, site, found(store.state.checkouts, 'checkout.session', id)),
    'POST /v1/checkout/sessions/:id/expire': ({ store, id }) => {
      const checkout = found(store.state.checkouts, 'checkout.session', id);
      if (checkout.status !== 'open') {
        throw failure({ message: `Only open sessions can be expired; this one is ${checkout.status}.` });
      }
      expireCheckout(store, site, checkout);
      return showCheckout(store, site, checkout);
    },
    'POST /v1/billing_portal/sessions': ({ store, form }) => {
      const customer = livingCustomer(store, requireText(form, 'customer')).id;
      const configuration = found(
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
        ...{ metadata: asTexts(form.metadata), features: asForm(form.features) },
      };
      store.state.configurations[id] = configuration;
      return presentConfiguration(configuration);
    },
    'GET /v1/billing_portal/configurations': ({ store, form }) =>
      page(
        Object.values(store.state.configurations),
        form,
        '/v1/billing_portal/configurations',
        presentConfiguration,
      ),
  } satisfies Record<string, Answer>;
}
