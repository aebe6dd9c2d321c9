import { ApiError } from '@/lib/foundation/contract/shared/api-error';

/**
 * Returns the sentence to show for a failed call. Anything but an ApiError is a bug of ours, whose message isn't meant
 * for people.
 * @param marked the fields that show their own error
 */
export function errorMessage(error: unknown, marked: readonly string[] = []): string {
  if (!(error instanceof ApiError)) return 'Network Error';
  const wrong = Object.entries(error.fields);
  const rest = wrong.filter(([name]) => !marked.includes(name)).map(([, sentence]) => sentence);
  if (error.code !== 'validation_failed' || rest.length === 0) return error.message;
  const said = [...new Set(rest)];
  // "Please check the marked fields" only helps if a field is marked.
  return (rest.length < wrong.length ? [error.message, ...said] : said).join(' ');
}
