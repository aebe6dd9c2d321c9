import { readBytes } from '@/lib/http/body';
import { AppError } from '@/lib/http/errors';
import { rawRoute } from '@/lib/http/raw-route';

/** Whatever is not an operation is not found, in the words of all other errors. */
const answer = rawRoute(async (request) => {
  await readBytes(request);
  throw new AppError('not_found');
});

export { answer as DELETE, answer as GET, answer as PATCH, answer as POST, answer as PUT };
