import { completeCheckout } from './api-sessions';
import { priceOf, subscribe } from './changes';
import { failureIn } from './errors';
import { asText, type Form } from './form';
import { asksForAuthentication, customerOf, readCard } from './ledger';
import { button, cardFields, dollars, frame, safe } from './page-frame';
import type { Checkout, Store } from './store';

/** What a page answers: HTML, or where to go. `returnsTo` are the addresses its forms may lead to. */
export type PageAnswer = { status?: number; html?: string; location?: string; returnsTo?: (string | null)[] };

function payPage(store: Store, checkout: Checkout, problem?: string): PageAnswer {
  const price = priceOf(store, checkout.price);
  const product = store.state.products[price.product]?.name ?? 'Subscription';
  const email = customerOf(store, checkout.customer).email ?? '';
  const body = `
<p>${dollars(price.amount)} per month, for ${safe(email)}</p>
<form method="post">
<input type="hidden" name="action" value="pay">
${cardFields}
<button>Subscribe</button>
</form>
${checkout.cancelUrl ? `<p><a href="${safe(checkout.cancelUrl)}">Back</a></p>` : ''}`;
  return {
    status: problem ? 402 : 200,
    html: frame(`Subscribe to ${product}`, body, problem),
    returnsTo: [checkout.successUrl],
  };
}

function authenticationPage(checkout: Checkout, card: string): PageAnswer {
  const kept = `<input type="hidden" name="card" value="${safe(card)}">`;
  const body = `<p>The bank asks whether it is you who pays (3-D Secure).</p>
${button('authenticate', 'Complete authentication', kept)}
${button('refuse', 'Fail authentication', kept)}`;
  return { html: frame('3-D Secure', body), returnsTo: [checkout.successUrl] };
}

function closedPage(checkout: Checkout): PageAnswer {
  const sentence =
    checkout.status === 'complete'
      ? 'This has been paid already.'
      : 'This page has expired. Nothing was paid.';
  return { status: 410, html: frame('Checkout', `<p>${sentence}</p>`) };
}

/** The page of a Checkout session; with `form`, what was pressed on it. */
export function checkoutPage(store: Store, site: string, id: string, form: Form | null): PageAnswer {
  const checkout = store.state.checkouts[id];
  if (!checkout) return { status: 404, html: frame('Checkout', '<p>There is no such page.</p>') };
  if (checkout.status !== 'open') return closedPage(checkout);
  if (!form) return payPage(store, checkout);
  const action = asText(form.action);
  if (action === 'refuse') {
    return payPage(
      store,
      checkout,
      'We could not authenticate your payment. Please try again or use another card.',
    );
  }
  try {
    const number = asText(form.card) ?? '';
    const card = readCard(number);
    if (action === 'pay' && asksForAuthentication(card)) return authenticationPage(checkout, number);
    const customer = customerOf(store, checkout.customer);
    const before = customer.card;
    customer.card = card;
    try {
      const { price, trialDays, subscriptionMetadata: metadata } = checkout;
      const subscription = subscribe(store, { customer: customer.id, price, trialDays, metadata });
      checkout.subscription = subscription.id;
      checkout.invoice = subscription.latestInvoice;
    } catch (error) {
      customer.card = before;
      throw error;
    }
    completeCheckout(store, site, checkout);
    return { location: checkout.successUrl.replaceAll('{CHECKOUT_SESSION_ID}', checkout.id) };
  } catch (error) {
    const known = failureIn(error);
    if (!known) throw error;
    return payPage(store, checkout, known.message);
  }
}
