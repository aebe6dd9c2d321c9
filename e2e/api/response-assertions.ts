import type { z } from 'zod';
import { expect } from '@/e2e/fixtures';
import { errorBody } from '@/lib/foundation/contract/error-body';
import { ERRORS, type ErrorCode } from '@/lib/foundation/contract/errors';

/** What every answer of the API bears, whatever it says. */
export function expectHeaders(response: Response): void {
  expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(response.headers.get('cache-control')).toContain('private');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
}

/** Expects an error with the status that the closed table gives its code, and nothing but the agreed names in it. */
export async function expectError(response: Response, code: ErrorCode): Promise<z.infer<typeof errorBody>> {
  expectHeaders(response);
  const body = errorBody.parse(await response.json());
  expect(body.message.length).toBeGreaterThanOrEqual(5);
  expect([response.status, body.code]).toEqual([ERRORS[code][0], code]);
  return body;
}
