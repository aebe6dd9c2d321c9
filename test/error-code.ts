import { AppError } from '@/lib/foundation/contract/errors';

/** Returns the code that work was refused with, or `ok`. Any other error comes as text. */
export const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'ok',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );
