import { z } from 'zod';

export const base64url = z.string().regex(/^[\w-]+$/);

/** What both of an authenticator's responses have (WebAuthn 3, 5.1: PublicKeyCredential as JSON). */
export const credential = {
  id: base64url.max(1400),
  rawId: base64url.max(1400),
  type: z.literal('public-key'),
};

/** The result of `navigator.credentials.get()`, as JSON. */
export const assertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url.max(4000),
    authenticatorData: base64url.max(4000),
    signature: base64url.max(8000),
    userHandle: base64url.max(100).optional(),
  }),
});
export type Assertion = z.output<typeof assertion>;
