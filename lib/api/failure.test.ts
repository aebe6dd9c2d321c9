import { expect, it } from 'vitest';
import { AppError } from '@/lib/contract/errors';
import { failureOf } from './failure';

it('says when to come back in every 503 for a service that is away or busy', () => {
  const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  for (const error of [new AppError('unavailable'), new AppError('unavailable', { retryAfter: 2 }), away]) {
    const response = failureOf(error, 'the-request');
    expect(response.status).toBe(503);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  }
});
