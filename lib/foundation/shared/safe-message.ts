/** The marker of an error whose message is fixed text. A symbol, because Next loads this module in several bundles. */
export const SAFE_MESSAGE = Symbol.for('daylight.safe-message');

/** Marks an error whose message quotes nothing from outside, so that logs and the job service may show it. */
export function withSafeMessage<E extends Error>(error: E): E {
  Object.defineProperty(error, SAFE_MESSAGE, { value: true });
  return error;
}
