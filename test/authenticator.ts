import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const ATTESTED_CREDENTIAL = 0x40;

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest();
const bigEndianBytes = (value: number, bytes: number) => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
};

interface AuthenticatorOptions {
  origin?: string;
  rpId?: string;
  /** Whether it has asked for a finger, a face or a PIN. */
  verified?: boolean;
}

/** A security key in software (ES256), which signs whatever it is told. */
export function createVirtualAuthenticator(userHandle: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  const cose = isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      ...([
        [1, 2],
        [3, -7],
        [-1, 1],
      ] as [number, number][]),
      [-2, Uint8Array.from(Buffer.from(jwk.x ?? '', 'base64url'))],
      [-3, Uint8Array.from(Buffer.from(jwk.y ?? '', 'base64url'))],
    ]),
  );
  const self = { counter: 0, userHandle };

  const clientData = (
    type: string,
    challenge: string,
    { origin = 'http://localhost:3000' }: AuthenticatorOptions,
  ) => Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const authenticatorData = ({ rpId = 'localhost', verified = true }: AuthenticatorOptions, flags = 0) =>
    Buffer.concat([
      sha256(rpId),
      bigEndianBytes(USER_PRESENT | (verified ? USER_VERIFIED : 0) | flags, 1),
      bigEndianBytes(self.counter, 4),
    ]);
  const named = { id: base64url(id), rawId: base64url(id), type: 'public-key' as const };

  return Object.assign(self, {
    id: named.id,
    /** Answers `navigator.credentials.create()`. */
    register: (challenge: string, how: AuthenticatorOptions = {}) => {
      const authData = Buffer.concat([
        authenticatorData(how, ATTESTED_CREDENTIAL),
        ...[Buffer.alloc(16), bigEndianBytes(id.length, 2), id, cose],
      ]);
      const attestation = new Map<string, string | Map<string, never> | Uint8Array>();
      attestation
        .set('fmt', 'none')
        .set('attStmt', new Map<string, never>())
        .set('authData', Uint8Array.from(authData));
      return {
        ...named,
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', challenge, how)),
          attestationObject: base64url(isoCBOR.encode(attestation)),
          transports: ['internal'],
        },
      };
    },
    /** Answers `navigator.credentials.get()`. */
    assert: (challenge: string, how: AuthenticatorOptions = {}) => {
      const data = clientData('webauthn.get', challenge, how);
      const authData = authenticatorData(how);
      const signature = sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey);
      return {
        ...named,
        response: {
          clientDataJSON: base64url(data),
          authenticatorData: base64url(authData),
          signature: base64url(signature),
          userHandle: self.userHandle,
        },
      };
    },
  });
}
