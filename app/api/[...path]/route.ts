import { readBytes } from '@/lib/api/body';
import { rawRoute } from '@/lib/api/endpoint';
import { AppError } from '@/lib/foundation/contract/errors';

/** Whatever is not an operation is not found, in the words of all other errors. */
const notFoundHandler = rawRoute(async (request) => {
  await readBytes(request);
  throw new AppError('not_found');
});

export {
  notFoundHandler as DELETE,
  notFoundHandler as GET,
  notFoundHandler as PATCH,
  notFoundHandler as POST,
  notFoundHandler as PUT,
};
