import Stripe from 'stripe';
import type * as kept from './store';
import type { State } from './store';

/** The till takes test cards only, so everything in it is of Stripe's test mode. */
const livemode = false;

export function list<Item extends { id: string }>(
  data: Item[],
  url: string,
  more = false,
): Stripe.ApiList<Item> {
  return { object: 'list', data, has_more: more, url };
}

export function presentCustomer(customer: kept.Customer): Stripe.Customer | Stripe.DeletedCustomer {
  if (customer.deleted) return { id: customer.id, object: 'customer', deleted: true };
  return {
    id: customer.id,
    object: 'customer',
    address: null,
    balance: 0,
    created: customer.created,
    currency: 'usd',
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: null,
    email: customer.email,
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode,
    metadata: customer.metadata,
    name: customer.name,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  };
}

export function presentProduct(product: kept.Product): Stripe.Product {
  return {
    id: product.id,
    object: 'product',
    active: true,
    created: product.created,
    description: null,
    images: [],
    livemode,
    marketing_features: [],
    metadata: {},
    name: product.name,
    package_dimensions: null,
    shippable: null,
    tax_details: null,
    type: 'service',
    updated: product.created,
    url: null,
  };
}

export function presentPrice(price: kept.Price): Stripe.Price {
  return {
    id: price.id,
    object: 'price',
    active: price.active,
    billing_scheme: 'per_unit',
    created: price.created,
    currency: 'usd',
    custom_unit_amount: null,
    livemode,
    lookup_key: price.lookupKey,
    metadata: {},
    nickname: null,
    product: price.product,
    recurring: {
      interval: 'month',
      interval_count: 1,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: 'recurring',
    unit_amount: price.amount,
    unit_amount_decimal: Stripe.Decimal.from(price.amount),
  };
}

/** The older name of a price, which items still bear. */
function presentPlan(price: kept.Price): Stripe.Plan {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.amount,
    amount_decimal: Stripe.Decimal.from(price.amount),
    billing_scheme: 'per_unit',
    created: price.created,
    currency: 'usd',
    interval: 'month',
    interval_count: 1,
    livemode,
    metadata: {},
    meter: null,
    nickname: null,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  };
}

function presentItem(subscription: kept.Subscription, price: kept.Price): Stripe.SubscriptionItem {
  return {
    id: subscription.item,
    object: 'subscription_item',
    billing_thresholds: null,
    created: subscription.created,
    current_period_end: subscription.periodEnd,
    current_period_start: subscription.periodStart,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: presentPlan(price),
    price: presentPrice(price),
    quantity: 1,
    subscription: subscription.id,
    tax_rates: [],
  };
}

export function presentSubscription(state: State, subscription: kept.Subscription): Stripe.Subscription {
  const price = state.prices[subscription.price];
  if (!price) throw new Error(`the price of ${subscription.id} is missing`);
  const { id, cancelAtPeriodEnd, periodEnd, trialEnd } = subscription;
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: subscription.anchor,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: cancelAtPeriodEnd ? periodEnd : null,
    cancel_at_period_end: cancelAtPeriodEnd,
    canceled_at: subscription.canceledAt,
    cancellation_details: {
      comment: null,
      feedback: null,
      feedback_option: null,
      reason: subscription.reason,
    },
    collection_method: 'charge_automatically',
    created: subscription.created,
    currency: 'usd',
    customer: subscription.customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    ended_at: subscription.endedAt,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: list([presentItem(subscription, price)], `/v1/subscription_items?subscription=${id}`),
    latest_invoice: subscription.latestInvoice,
    livemode,
    managed_payments: { enabled: false },
    metadata: subscription.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: subscription.schedule,
    start_date: subscription.created,
    status: subscription.status,
    test_clock: null,
    transfer_data: null,
    trial_end: trialEnd,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' },
    },
    trial_start: trialEnd === null ? null : subscription.created,
  };
}
