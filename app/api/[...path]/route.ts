import { readBytes } from '@/lib/api/body';
import { rawRoute } from '@/lib/api/raw-route';
import { AppError } from '@/lib/contract/errors';

/** Whatever is not an operation is not found, in the words of all other errors. */
const answer = rawRoute(async (request) => {
  await readBytes(request);
  throw new AppError('not_found');
});

export { answer as DELETE, answer as GET, answer as PATCH, answer as POST, answer as PUT };
