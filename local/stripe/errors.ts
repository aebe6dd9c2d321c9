/** An error as Stripe's API answers it: HTTP status and the `error` object of the body. */
export type StripeApiError = {
  status: number;
  type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';
  message: string;
  code?: string;
  param?: string;
};

const ERROR_NAME = 'StripeApiError';

/** Something to throw: the server turns it into Stripe's error body. */
export function stripeError(
  details: Partial<StripeApiError> & { message: string },
): Error & { failure: StripeApiError } {
  const error = Object.assign(new Error(details.message), {
    failure: { status: 400, type: 'invalid_request_error' as const, ...details },
  });
  error.name = ERROR_NAME;
  return error;
}

export const getStripeError = (error: unknown): StripeApiError | undefined =>
  error instanceof Error && error.name === ERROR_NAME
    ? (error as Error & { failure: StripeApiError }).failure
    : undefined;

/** What Stripe answers to an id it does not know. */
export const resourceMissing = (kind: string, id: string, param = 'id', status = 404) =>
  stripeError({ status, code: 'resource_missing', param, message: `No such ${kind}: '${id}'` });
