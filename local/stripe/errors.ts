/** An error as Stripe's API answers it: HTTP status and the `error` object of the body. */
export type ApiFailure = {
  status: number;
  type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';
  message: string;
  code?: string;
  param?: string;
};

const FAILURE = 'TillFailure';

/** Something to throw: the server turns it into Stripe's error body. */
export function failure(details: Partial<ApiFailure> & { message: string }): Error & { failure: ApiFailure } {
  const error = Object.assign(new Error(details.message), {
    failure: { status: 400, type: 'invalid_request_error' as const, ...details },
  });
  error.name = FAILURE;
  return error;
}

export const failureIn = (error: unknown): ApiFailure | undefined =>
  error instanceof Error && error.name === FAILURE
    ? (error as Error & { failure: ApiFailure }).failure
    : undefined;

/** What Stripe answers to an id it does not know. */
export const noSuch = (kind: string, id: string, param = 'id', status = 404) =>
  failure({ status, code: 'resource_missing', param, message: `No such ${kind}: '${id}'` });
