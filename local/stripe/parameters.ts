import type Stripe from 'stripe';
import { stripeError } from './errors';
import type { Form, FormValue } from './form';

/** A single value. */
const VALUE = 'value';
/** An object with names of the caller's choice, like metadata. */
const RECORD = 'record';

type Known<Params> = Params extends readonly (infer Item)[]
  ? readonly [Known<Item>]
  : Params extends object
    ? { readonly [Name in keyof Params]?: Known<NonNullable<Params[Name]>> | typeof RECORD }
    : typeof VALUE;
type Shape = typeof VALUE | typeof RECORD | readonly [Shape] | { readonly [name: string]: Shape };

/** Returns a shape of parameters, after a check that the SDK's type has each of its names. */
const known = <Params>(shape: Known<Params> & Shape): Shape => shape;

const customer = { email: VALUE, metadata: RECORD, source: VALUE } as const;
/** Kept for nobody, but an erasure clears them. */
const personal = {
  name: VALUE,
  phone: VALUE,
  description: VALUE,
  address: VALUE,
  shipping: VALUE,
} as const;
const page = { limit: VALUE, starting_after: VALUE, ending_before: VALUE, expand: [VALUE] } as const;
const enabled = { enabled: VALUE } as const;
const retrieve = { expand: [VALUE] } as const;

/** The parameters of each operation that this stand-in accepts. It refuses others that Stripe has, too. */
const PARAMETERS: Record<string, Shape> = {
  'POST /v1/customers': known<Stripe.CustomerCreateParams>(customer),
  'GET /v1/customers/:id': known<Stripe.CustomerRetrieveParams>(retrieve),
  'POST /v1/customers/:id': known<Stripe.CustomerUpdateParams>({ ...customer, ...personal }),
  'GET /v1/prices': known<Stripe.PriceListParams>({ ...page, lookup_keys: [VALUE], active: VALUE }),
  'GET /v1/prices/:id': known<Stripe.PriceRetrieveParams>(retrieve),
  'POST /v1/checkout/sessions': known<Stripe.Checkout.SessionCreateParams>({
    ...retrieve,
    mode: VALUE,
    customer: VALUE,
    client_reference_id: VALUE,
    metadata: RECORD,
    line_items: [{ price: VALUE, quantity: VALUE }],
    subscription_data: { metadata: RECORD },
    success_url: VALUE,
    cancel_url: VALUE,
  }),
  'GET /v1/checkout/sessions/:id': known<Stripe.Checkout.SessionRetrieveParams>(retrieve),
  'POST /v1/checkout/sessions/:id/expire': known<Stripe.Checkout.SessionExpireParams>(retrieve),
  'POST /v1/billing_portal/sessions': known<Stripe.BillingPortal.SessionCreateParams>({
    ...retrieve,
    customer: VALUE,
    configuration: VALUE,
    return_url: VALUE,
    flow_data: {
      type: VALUE,
      after_completion: { type: VALUE, redirect: { return_url: VALUE } },
      subscription_cancel: { subscription: VALUE },
      subscription_update_confirm: {
        subscription: VALUE,
        items: [{ id: VALUE, price: VALUE, quantity: VALUE }],
      },
    },
  }),
  'POST /v1/billing_portal/configurations': known<Stripe.BillingPortal.ConfigurationCreateParams>({
    ...retrieve,
    metadata: RECORD,
    features: {
      invoice_history: enabled,
      payment_method_update: enabled,
      subscription_cancel: { ...enabled, mode: VALUE },
      subscription_update: {
        ...enabled,
        default_allowed_updates: [VALUE],
        proration_behavior: VALUE,
        products: [{ product: VALUE, prices: [VALUE] }],
        schedule_at_period_end: { conditions: [{ type: VALUE }] },
      },
    },
  }),
  'GET /v1/billing_portal/configurations': known<Stripe.BillingPortal.ConfigurationListParams>({
    ...page,
    active: VALUE,
  }),
  'POST /v1/subscriptions': known<Stripe.SubscriptionCreateParams>({
    ...retrieve,
    customer: VALUE,
    items: [{ price: VALUE }],
    trial_period_days: VALUE,
    metadata: RECORD,
  }),
  'GET /v1/subscriptions': known<Stripe.SubscriptionListParams>({ ...page, customer: VALUE, status: VALUE }),
  'GET /v1/subscriptions/:id': known<Stripe.SubscriptionRetrieveParams>(retrieve),
  'DELETE /v1/subscriptions/:id': known<Stripe.SubscriptionCancelParams>(retrieve),
  'GET /v1/charges': known<Stripe.ChargeListParams>({ ...page, customer: VALUE }),
  'GET /v1/charges/:id': known<Stripe.ChargeRetrieveParams>(retrieve),
  'POST /v1/refunds': known<Stripe.RefundCreateParams>({ ...retrieve, charge: VALUE }),
  'GET /v1/events': known<Stripe.EventListParams>({ ...page, types: [VALUE], created: { gte: VALUE } }),
  'POST /test/clock/advance': { seconds: VALUE },
};

function refuseUnknown(value: FormValue, shape: Shape | undefined, path: string): void {
  if (shape === undefined) {
    throw stripeError({
      code: 'parameter_unknown',
      param: path,
      message: `Received unknown parameter: ${path}`,
    });
  }
  if (shape === RECORD || typeof value === 'string') return;
  for (const [name, inner] of Object.entries(value)) {
    const inside = path === '' ? name : `${path}[${name}]`;
    const next = Array.isArray(value) ? (Array.isArray(shape) ? shape[0] : undefined) : shapeOf(shape, name);
    refuseUnknown(inner, next, inside);
  }
}

function shapeOf(shape: Shape, name: string): Shape | undefined {
  if (typeof shape === 'string' || !Object.hasOwn(shape, name)) return undefined;
  return (shape as { readonly [name: string]: Shape })[name];
}

/**
 * Refuses parameters that an operation doesn't have, nested ones too, as Stripe does.
 *
 * @param operation method and path, with `:id`
 * @throws Stripe's `parameter_unknown`
 */
export function checkParameters(operation: string, form: Form): void {
  refuseUnknown(form, PARAMETERS[operation] ?? {}, '');
}
