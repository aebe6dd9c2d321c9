import { escapeHtml } from '../loopback-server';
import { readCard, requireCustomer } from './billing';
import { getStripeError } from './errors';
import { asText, type Form } from './form';
import { cardFields, formatCents, renderPage } from './page-layout';
import { completeCheckout } from './session-routes';
import type { CheckoutSession, Store } from './store';
import { priceOf, subscribe } from './subscriptions';

/** HTML, or where to redirect. `returnsTo` has the addresses that the page's forms may redirect to. */
export type PageResponse = {
  status?: number;
  html?: string;
  location?: string;
  returnsTo?: (string | null)[];
};

function paymentPage(store: Store, checkout: CheckoutSession, problem?: string): PageResponse {
  const price = priceOf(store, checkout.price);
  const product = store.state.products[price.product]?.name ?? 'Subscription';
  const email = requireCustomer(store, checkout.customer).email ?? '';
  const body = `
<p>${formatCents(price.amount)} per month, for ${escapeHtml(email)}</p>
<form method="post">
<input type="hidden" name="action" value="pay">
${cardFields}
<button>Subscribe</button>
</form>
${checkout.cancelUrl ? `<p><a href="${escapeHtml(checkout.cancelUrl)}">Back</a></p>` : ''}`;
  return {
    status: problem ? 402 : 200,
    html: renderPage(`Subscribe to ${product}`, body, problem),
    returnsTo: [checkout.successUrl],
  };
}

function expiredPage(checkout: CheckoutSession): PageResponse {
  const sentence =
    checkout.status === 'complete' ? 'You already paid.' : "This page has expired. You weren't charged.";
  return { status: 410, html: renderPage('Checkout', `<p>${sentence}</p>`) };
}

/** Renders the page of a Checkout session. With `form`, does what was submitted on it. */
export function checkoutPage(store: Store, site: string, id: string, form: Form | null): PageResponse {
  const checkout = store.state.checkouts[id];
  if (!checkout) return { status: 404, html: renderPage('Checkout', "<p>We can't find that page.</p>") };
  if (checkout.status !== 'open') return expiredPage(checkout);
  if (!form) return paymentPage(store, checkout);
  try {
    const card = readCard(asText(form.card) ?? '');
    const customer = requireCustomer(store, checkout.customer);
    const before = customer.card;
    customer.card = card;
    try {
      const { price, subscriptionMetadata: metadata } = checkout;
      const subscription = subscribe(store, { customer: customer.id, price, metadata });
      checkout.subscription = subscription.id;
    } catch (error) {
      customer.card = before;
      throw error;
    }
    completeCheckout(store, site, checkout);
    return { location: checkout.successUrl.replaceAll('{CHECKOUT_SESSION_ID}', checkout.id) };
  } catch (error) {
    const known = getStripeError(error);
    if (!known) throw error;
    return paymentPage(store, checkout, known.message);
  }
}
