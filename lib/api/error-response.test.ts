import { expect, it, vi } from 'vitest';
import { AppError } from '@/lib/foundation/contract/errors';
import { log } from '@/lib/foundation/log';
import { errorResponse } from './error-response';

it('says when to come back in every 503 for a service that is away or busy', () => {
  const codes = ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT'];
  const names = ['TimeoutError', 'SlowDown', 'ServiceUnavailable'];
  const away = [
    ...codes.map((code) => Object.assign(new Error('connect'), { code })),
    ...names.map((name) => Object.assign(new Error('no answer'), { name })),
  ];
  for (const error of [
    new AppError('unavailable'),
    new AppError('unavailable', { retryAfter: 2 }),
    ...away,
  ]) {
    const response = errorResponse(error, 'the-request');
    expect(response.status).toBe(503);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  }
});

it('logs what the operator should look at as an error, and no refusal', () => {
  const logged = vi.spyOn(log, 'error');
  for (const refusal of [new AppError('not_found'), new AppError('unavailable')])
    errorResponse(refusal, 'the-request');
  expect(logged).not.toHaveBeenCalled();
  const outage = new AppError('unavailable', { cause: new Error('away') });
  errorResponse(outage, 'the-request');
  expect(logged.mock.calls).toEqual([[{ err: outage }, 'a required service is unavailable']]);
});

it('answers 500 for whatever else is thrown, without what it says', async () => {
  const wrong = Object.assign(new Error('a secret'), { code: 'EISDIR' });
  for (const error of [wrong, { code: 'ECONNREFUSED' }, 'a secret', null, undefined]) {
    const response = errorResponse(error, 'the-request');
    expect(response.status).toBe(500);
    const body = await response.json();
    expect(body).toMatchObject({ code: 'internal', requestId: 'the-request' });
    expect(JSON.stringify(body)).not.toContain('secret');
  }
});
