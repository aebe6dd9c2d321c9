import type Stripe from 'stripe';
import { asForm, asList, asText, type Form } from './form';
import type * as kept from './store';

const livemode = false;

export function presentCheckout(
  checkout: kept.CheckoutSession,
  price: kept.Price,
  customer: kept.Customer,
  url: string,
): Stripe.Checkout.Session {
  const paid = checkout.status === 'complete';
  return {
    id: checkout.id,
    object: 'checkout.session',
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    amount_subtotal: price.amount,
    amount_total: price.amount,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: checkout.cancelUrl,
    client_reference_id: checkout.reference,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: checkout.created,
    currency: 'usd',
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: checkout.customer,
    customer_account: null,
    customer_creation: null,
    customer_details: {
      address: null,
      business_name: null,
      email: customer.email,
      individual_name: null,
      name: null,
      phone: null,
      tax_exempt: 'none',
      tax_ids: null,
    },
    customer_email: null,
    discounts: [],
    expires_at: checkout.expires,
    integration_identifier: null,
    invoice: checkout.invoice,
    invoice_creation: null,
    livemode,
    locale: null,
    managed_payments: { enabled: false },
    metadata: checkout.metadata,
    mode: 'subscription',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'always',
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    payment_status: paid ? 'paid' : 'unpaid',
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: checkout.status,
    submit_type: null,
    subscription: checkout.subscription,
    success_url: checkout.successUrl,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    // Stripe gives the address of an open session only.
    url: checkout.status === 'open' ? url : null,
    wallet_options: null,
  };
}

function presentFlow(flow: kept.PortalFlow): Stripe.BillingPortal.Session.Flow {
  return {
    after_completion: {
      hosted_confirmation: null,
      redirect: flow.after ? { return_url: flow.after } : null,
      type: flow.after ? 'redirect' : 'portal_homepage',
    },
    customer_update: null,
    subscription_cancel:
      flow.type === 'subscription_cancel' ? { retention: null, subscription: flow.subscription } : null,
    subscription_pause: null,
    subscription_update: null,
    subscription_update_confirm:
      flow.type === 'subscription_update_confirm'
        ? {
            discounts: [],
            items: [{ id: flow.item, price: flow.price, quantity: 1 }],
            subscription: flow.subscription,
          }
        : null,
    type: flow.type,
  };
}

export function presentPortal(portal: kept.PortalSession, url: string): Stripe.BillingPortal.Session {
  return {
    id: portal.id,
    object: 'billing_portal.session',
    configuration: portal.configuration,
    created: portal.created,
    customer: portal.customer,
    customer_account: null,
    flow: portal.flow && presentFlow(portal.flow),
    livemode,
    locale: null,
    on_behalf_of: null,
    return_url: portal.returnUrl,
    url,
  };
}

const isEnabled = (feature: Form): boolean => feature.enabled === 'true';
const textList = (value: Form[string] | undefined): string[] =>
  asList(value).flatMap((one) => asText(one) ?? []);

/** Whether the changes that cost less wait for the period's end. */
export function schedulesDowngrades({ features }: kept.PortalConfiguration): boolean {
  const { conditions } = asForm(asForm(features.subscription_update).schedule_at_period_end);
  return asList(conditions).some((condition) => asForm(condition).type === 'decreasing_item_amount');
}

/** The prices a customer may change to. */
export function allowedPrices({ features }: kept.PortalConfiguration): string[] {
  const update = asForm(features.subscription_update);
  if (!isEnabled(update)) return [];
  return asList(update.products).flatMap((product) => textList(asForm(product).prices));
}

export function presentConfiguration(
  configuration: kept.PortalConfiguration,
): Stripe.BillingPortal.Configuration {
  const { features, created } = configuration;
  const cancel = asForm(features.subscription_cancel);
  const update = asForm(features.subscription_update);
  return {
    id: configuration.id,
    object: 'billing_portal.configuration',
    active: configuration.active,
    application: null,
    business_profile: { headline: null, privacy_policy_url: null, terms_of_service_url: null },
    created,
    default_return_url: null,
    features: {
      customer_update: { allowed_updates: [], enabled: isEnabled(asForm(features.customer_update)) },
      invoice_history: { enabled: isEnabled(asForm(features.invoice_history)) },
      payment_method_update: {
        enabled: isEnabled(asForm(features.payment_method_update)),
        payment_method_configuration: null,
      },
      subscription_cancel: {
        cancellation_reason: { enabled: false, feedback_options: null, options: [] },
        enabled: isEnabled(cancel),
        mode: asText(cancel.mode) ?? 'at_period_end',
        proration_behavior: 'none',
      },
      subscription_pause: { duration: { interval_options: [], type: 'indefinite' }, enabled: false },
      subscription_update: {
        billing_cycle_anchor: null,
        default_allowed_updates: textList(update.default_allowed_updates),
        enabled: isEnabled(update),
        products: asList(update.products).map((product) => ({
          adjustable_quantity: { enabled: false, maximum: null, minimum: 1 },
          prices: textList(asForm(product).prices),
          product: asText(asForm(product).product) ?? '',
        })),
        proration_behavior: asText(update.proration_behavior) ?? 'none',
        schedule_at_period_end: {
          conditions: schedulesDowngrades(configuration) ? [{ type: 'decreasing_item_amount' }] : [],
        },
        trial_update_behavior: 'end_trial',
      },
    },
    is_default: false,
    livemode,
    login_page: { enabled: false, url: null },
    metadata: configuration.metadata,
    name: null,
    updated: created,
  };
}
