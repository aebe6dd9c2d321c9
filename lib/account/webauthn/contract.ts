import { z } from 'zod';

export const base64url = z.string().regex(/^[\w-]+$/);

/** What both of an authenticator's responses have (WebAuthn 3, 5.1: PublicKeyCredential as JSON). */
export const credential = {
  id: base64url.max(1400).meta({ example: 'ASNFZ4mrze8' }),
  rawId: base64url.max(1400).meta({ example: 'ASNFZ4mrze8' }),
  type: z.literal('public-key'),
};

export const assertion = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: base64url.max(4000).meta({ example: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0' }),
      authenticatorData: base64url.max(4000).meta({ example: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2M' }),
      signature: base64url.max(8000).meta({ example: 'MEUCIQDx3vYl' }),
      userHandle: base64url.max(100).optional().meta({ example: 'MDE5NWYyYTA' }),
    }),
  })
  .meta({ id: 'PasskeyAssertion', description: 'The result of `navigator.credentials.get()`, as JSON.' });

/** Passed to the browser's API as is. */
export const webAuthnOptions = z
  .object({
    options: z
      .record(z.string(), z.unknown())
      .meta({ example: { challenge: 'q3Jm0Yx1n2V8sK4tB7dR9w', timeout: 300_000 } }),
  })
  .meta({ id: 'WebAuthnOptions', description: 'What the browser’s WebAuthn API takes, as JSON.' });
export type Assertion = z.output<typeof assertion>;
