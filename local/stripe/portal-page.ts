import { escapeHtml } from '../loopback-server';
import { emit, readCard, requireCustomer } from './billing';
import type { PageResponse } from './checkout-page';
import { getStripeError } from './errors';
import { asText, type Form } from './form';
import { button, cardFields, formatCents, formatDate, renderPage } from './page-layout';
import { allowedPrices, schedulesDowngrades } from './portal-configuration';
import { serializeCustomer } from './serializers';
import type { PortalConfiguration, PortalSession, Price, Store, Subscription } from './store';
import {
  cancelAtPeriodEnd,
  changeAtPeriodEnd,
  changeNow,
  payOpenInvoice,
  priceOf,
  releaseSchedule,
} from './subscriptions';

function subscriptionOf(store: Store, portal: PortalSession): Subscription | undefined {
  return Object.values(store.state.subscriptions)
    .filter((one) => one.customer === portal.customer && one.status !== 'canceled')
    .at(-1);
}

function configurationOf(store: Store, portal: PortalSession): PortalConfiguration {
  const configuration = store.state.configurations[portal.configuration];
  if (!configuration) throw new Error('the configuration of the portal is missing');
  return configuration;
}

const nameOf = (store: Store, price: Price): string => store.state.products[price.product]?.name ?? price.id;

/** Returns whether a change to this price waits for the end of the period. */
function isDeferredChange(
  store: Store,
  portal: PortalSession,
  subscription: Subscription,
  price: Price,
): boolean {
  return (
    price.amount < priceOf(store, subscription.price).amount &&
    schedulesDowngrades(configurationOf(store, portal))
  );
}

function describe(store: Store, subscription: Subscription): string {
  const price = priceOf(store, subscription.price);
  const schedule = subscription.schedule ? store.state.schedules[subscription.schedule] : undefined;
  const end = formatDate(subscription.periodEnd);
  const coming = subscription.cancelAtPeriodEnd
    ? `Cancels on ${end}.`
    : schedule
      ? `Changes to ${nameOf(store, priceOf(store, schedule.to))} on ${end}.`
      : `Renews on ${end}.`;
  const late = subscription.status === 'past_due' ? '<p class="problem">The last payment failed.</p>' : '';
  return `<p>${escapeHtml(nameOf(store, price))}, ${formatCents(price.amount)} per month. ${escapeHtml(coming)}</p>${late}`;
}

function planSection(store: Store, portal: PortalSession): string {
  const subscription = subscriptionOf(store, portal);
  if (!subscription) return "<section><h2>Current plan</h2><p>You don't have a subscription.</p></section>";
  const choices = allowedPrices(configurationOf(store, portal))
    .filter((id) => id !== subscription.price)
    .map((id) => priceOf(store, id))
    .map((price) =>
      button(
        'change',
        `Change to ${nameOf(store, price)}`,
        `<input type="hidden" name="price" value="${price.id}">`,
      ),
    );
  const actions = subscription.cancelAtPeriodEnd
    ? button('renew', "Don't cancel")
    : subscription.schedule
      ? button('release', 'Cancel scheduled update')
      : [...choices, button('cancel', 'Cancel plan')].join('');
  return `<section><h2>Current plan</h2>${describe(store, subscription)}${actions}</section>`;
}

function homePage(store: Store, portal: PortalSession, problem?: string): PageResponse {
  const { card } = requireCustomer(store, portal.customer);
  const invoices = Object.values(store.state.invoices).filter((one) => one.customer === portal.customer);
  const rows = invoices
    .reverse()
    .map(
      (one) =>
        `<li>${formatDate(one.created)}: ${formatCents(one.amount)}, ${one.status} (${escapeHtml(one.number)})</li>`,
    );
  const body = `
${planSection(store, portal)}
<section><h2>Payment method</h2><p>${card ? `Card ending in ${card.last4}` : 'No card'}</p>
<form method="post"><input type="hidden" name="action" value="card">${cardFields}<button>Save card</button></form></section>
<section><h2>Invoice history</h2>${rows.length > 0 ? `<ul>${rows.join('')}</ul>` : '<p>No invoices yet.</p>'}</section>
${portal.returnUrl ? `<p><a href="${escapeHtml(portal.returnUrl)}">Return</a></p>` : ''}`;
  return { status: problem ? 402 : 200, html: renderPage('Billing', body, problem) };
}

function flowPage(store: Store, portal: PortalSession, problem?: string): PageResponse {
  const { flow } = portal;
  const subscription = flow && store.state.subscriptions[flow.subscription];
  if (!flow || !subscription) return homePage(store, portal, problem);
  const back = portal.returnUrl ? `<p><a href="${escapeHtml(portal.returnUrl)}">Back</a></p>` : '';
  const end = formatDate(subscription.periodEnd);
  const status = problem ? 402 : 200;
  const returnsTo = [flow.after];
  if (flow.type === 'subscription_cancel') {
    const body = `${describe(store, subscription)}<p>You keep your plan until ${end}.</p>${button('confirm', 'Cancel plan')}${back}`;
    return { status, html: renderPage('Cancel your plan', body, problem), returnsTo };
  }
  const price = priceOf(store, flow.price);
  const when = isDeferredChange(store, portal, subscription, price)
    ? `on ${end}`
    : 'now, prorated for the rest of the month';
  const body = `${describe(store, subscription)}<p>Change to ${escapeHtml(nameOf(store, price))}, ${formatCents(price.amount)} per month, ${when}.</p>${button('confirm', 'Confirm')}${back}`;
  return { status, html: renderPage('Confirm your updates', body, problem), returnsTo };
}

function changePlan(store: Store, portal: PortalSession, subscription: Subscription, id: string): void {
  if (isDeferredChange(store, portal, subscription, priceOf(store, id)))
    changeAtPeriodEnd(store, subscription, id);
  else changeNow(store, subscription, id);
}

/** Does what was submitted on the portal's home page. */
function handleAction(store: Store, portal: PortalSession, form: Form): void {
  const action = asText(form.action);
  const subscription = subscriptionOf(store, portal);
  if (action === 'card') {
    const customer = requireCustomer(store, portal.customer);
    customer.card = readCard(asText(form.card) ?? '');
    emit(store, 'customer.updated', serializeCustomer(customer));
    if (subscription) payOpenInvoice(store, subscription);
  }
  if (!subscription) return;
  const price = asText(form.price) ?? '';
  if (action === 'cancel') cancelAtPeriodEnd(store, subscription, true);
  if (action === 'renew') cancelAtPeriodEnd(store, subscription, false);
  if (action === 'release' && subscription.schedule) releaseSchedule(store, subscription);
  if (action === 'change' && allowedPrices(configurationOf(store, portal)).includes(price)) {
    changePlan(store, portal, subscription, price);
  }
}

function confirmFlow(store: Store, portal: PortalSession): void {
  const { flow } = portal;
  if (!flow) return;
  const subscription = store.state.subscriptions[flow.subscription];
  if (!subscription) return;
  if (flow.type === 'subscription_cancel') cancelAtPeriodEnd(store, subscription, true);
  else if (subscription.price !== flow.price) changePlan(store, portal, subscription, flow.price);
}

/** Renders the page of a portal session, starting with its flow. With `form`, does what was submitted on it. */
export function portalPage(store: Store, secret: string, form: Form | null): PageResponse {
  const portal = store.state.portals[secret];
  if (!portal) return { status: 404, html: renderPage('Billing', "<p>We can't find that page.</p>") };
  const show = (problem?: string) => flowPage(store, portal, problem);
  if (!form) return show();
  try {
    if (asText(form.action) !== 'confirm') {
      handleAction(store, portal, form);
      return { location: `/p/session/${secret}` };
    }
    confirmFlow(store, portal);
    const after = portal.flow?.after ?? `/p/session/${secret}`;
    portal.flow = null;
    return { location: after };
  } catch (error) {
    const known = getStripeError(error);
    if (!known) throw error;
    return show(known.message);
  }
}
