import type Stripe from 'stripe';
import { list } from './serializers';
import type * as kept from './store';

const livemode = false;

/** An invoice as far as anybody reads it; its lines are left out. */
export function presentInvoice(invoice: kept.Invoice, customer: kept.Customer | undefined): Stripe.Invoice {
  const paid = invoice.status === 'paid' ? invoice.amount : 0;
  return {
    id: invoice.id,
    object: 'invoice',
    account_country: 'US',
    account_name: 'Local till',
    account_tax_ids: null,
    amount_due: invoice.amount,
    amount_overpaid: 0,
    amount_paid: paid,
    amount_remaining: invoice.amount - paid,
    amount_shipping: 0,
    application: null,
    attempt_count: invoice.attempts,
    attempted: invoice.attempts > 0,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: null,
    billing_reason: invoice.reason,
    collection_method: 'charge_automatically',
    created: invoice.created,
    currency: 'usd',
    custom_fields: null,
    customer: invoice.customer,
    customer_account: null,
    customer_address: null,
    customer_email: customer?.email ?? null,
    customer_name: customer?.name ?? null,
    customer_phone: null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: invoice.description,
    discounts: [],
    due_date: null,
    effective_at: invoice.created,
    ending_balance: 0,
    footer: null,
    from_invoice: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: list([], `/v1/invoices/${invoice.id}/lines`),
    livemode,
    metadata: {},
    next_payment_attempt: null,
    number: invoice.number,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: {}, subscription: invoice.subscription },
      type: 'subscription_details',
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: invoice.periodEnd,
    period_start: invoice.periodStart,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: 0,
    statement_descriptor: null,
    status: invoice.status,
    status_transitions: {
      finalized_at: invoice.created,
      marked_uncollectible_at: null,
      paid_at: invoice.paidAt,
      voided_at: null,
    },
    subtotal: invoice.amount,
    subtotal_excluding_tax: invoice.amount,
    test_clock: null,
    total: invoice.amount,
    total_discount_amounts: [],
    total_excluding_tax: invoice.amount,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: invoice.created,
  };
}

/** A charge as far as anybody reads it: whose it is, how much, and what became of it. */
export function presentCharge(charge: kept.Charge) {
  return {
    id: charge.id,
    object: 'charge',
    amount: charge.amount,
    amount_captured: charge.amount,
    amount_refunded: charge.refunded,
    captured: true,
    created: charge.created,
    currency: 'usd',
    customer: charge.customer,
    description: null,
    disputed: charge.disputed,
    failure_code: null,
    failure_message: null,
    livemode,
    metadata: {},
    paid: true,
    payment_intent: null,
    refunded: charge.refunded === charge.amount,
    status: 'succeeded',
  } as const satisfies Partial<Stripe.Charge>;
}

export function presentDispute(dispute: kept.Dispute) {
  return {
    id: dispute.id,
    object: 'dispute',
    amount: dispute.amount,
    balance_transactions: [],
    charge: dispute.charge,
    created: dispute.created,
    currency: 'usd',
    is_charge_refundable: false,
    livemode,
    metadata: {},
    payment_intent: null,
    reason: 'fraudulent',
    status: 'needs_response',
  } satisfies Partial<Stripe.Dispute>;
}

export function presentRefund(refund: kept.Refund, charge: kept.Charge): Stripe.Refund {
  return {
    id: refund.id,
    object: 'refund',
    amount: refund.amount,
    balance_transaction: null,
    charge: refund.charge,
    created: refund.created,
    currency: 'usd',
    customer: charge.customer,
    customer_account: null,
    metadata: {},
    payment_intent: null,
    payment_method: null,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  };
}

function phase(price: string, start_date: number, end_date: number): Stripe.SubscriptionSchedule.Phase {
  return {
    add_invoice_items: [],
    application_fee_percent: null,
    billing_cycle_anchor: null,
    billing_thresholds: null,
    collection_method: null,
    currency: 'usd',
    default_payment_method: null,
    description: null,
    discounts: [],
    end_date,
    invoice_settings: null,
    items: [
      {
        billing_thresholds: null,
        discounts: [],
        metadata: {},
        plan: price,
        price,
        quantity: 1,
        tax_rates: [],
      },
    ],
    metadata: {},
    on_behalf_of: null,
    proration_behavior: 'none',
    start_date,
    transfer_data: null,
    trial_end: null,
  };
}

/** Long enough for a phase that only says what comes next. Seconds. */
const MONTH = 30 * 86_400;

export function presentSchedule(schedule: kept.Schedule): Stripe.SubscriptionSchedule {
  const { id, customer, from, to, start, change, status } = schedule;
  return {
    id,
    object: 'subscription_schedule',
    application: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    canceled_at: status === 'canceled' ? schedule.endedAt : null,
    completed_at: null,
    created: schedule.created,
    current_phase: status === 'active' ? { start_date: start, end_date: change } : null,
    customer,
    customer_account: null,
    default_settings: {
      application_fee_percent: null,
      billing_cycle_anchor: 'automatic',
      billing_thresholds: null,
      collection_method: 'charge_automatically',
      default_payment_method: null,
      description: null,
      invoice_settings: {
        account_tax_ids: null,
        custom_fields: null,
        days_until_due: null,
        description: null,
        footer: null,
        issuer: { type: 'self' },
      },
      on_behalf_of: null,
      transfer_data: null,
    },
    end_behavior: 'release',
    livemode,
    metadata: {},
    pause_schedules: [],
    phases: [phase(from, start, change), phase(to, change, change + MONTH)],
    released_at: status === 'released' ? schedule.endedAt : null,
    released_subscription: status === 'released' ? schedule.subscription : null,
    status,
    subscription: status === 'active' ? schedule.subscription : null,
    test_clock: null,
  };
}
