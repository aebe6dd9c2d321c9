import { notImplemented, S3Error } from './errors';
import { canonicalQuery, canonicalValue, encodePath, hmac, sameSignature, sha256Hex } from './sigv4';
import type { RequestTarget } from './target';

export type Credentials = { region: string; accessKeyId: string; secretAccessKey: string };

type ParsedSignature = {
  presigned: boolean;
  credential: string;
  signedHeaders: string[];
  signature: string;
  date: string;
  payloadHash: string;
};

const ALGORITHM = 'AWS4-HMAC-SHA256';
const SKEW_MS = 15 * 60 * 1000;
const MAX_EXPIRES_SECONDS = 7 * 24 * 60 * 60;

/**
 * Verifies AWS Signature Version 4 in the Authorization header or in the query. Returns the SHA-256 (hex) that the
 * body must have, or undefined when it wasn't signed. The SDK's signer can't build the canonical request, because a
 * verifier must use exactly the headers that the client names. Throws the error that S3 gives.
 * Source: "Authenticating Requests (AWS Signature Version 4)" in the S3 API reference.
 */
export function authenticate(
  target: RequestTarget,
  headers: NodeJS.Dict<string[]>,
  credentials: Credentials,
  now: Date,
): string | undefined {
  const parsed = parseSignature(target, headers);
  const { date, day, scope } = checkCredential(parsed.credential, parsed.date, credentials, parsed.presigned);
  checkTime(target, parsed.presigned, date, now);
  checkSignedHeaders(parsed.signedHeaders, headers);

  const canonical = [
    target.method,
    encodePath(target.path),
    canonicalQuery(target.query),
    ...parsed.signedHeaders.map((name) => `${name}:${canonicalValue(headers[name])}`),
    '',
    parsed.signedHeaders.join(';'),
    parsed.payloadHash,
  ].join('\n');
  const key = signingKey(credentials, day);
  const toSign = [ALGORITHM, parsed.date, scope, sha256Hex(canonical)].join('\n');
  if (!sameSignature(parsed.signature, hmac(key, toSign).toString('hex'))) {
    throw new S3Error('SignatureDoesNotMatch');
  }
  return signedSha256(parsed.payloadHash);
}

/** Checks the credential and the signature of a POST policy. The signature covers the policy itself. */
export function authenticatePolicy(fields: ReadonlyMap<string, string>, credentials: Credentials): void {
  const policy = fields.get('policy');
  const signature = fields.get('x-amz-signature');
  if (!policy || !signature) throw new S3Error('AccessDenied');
  if (fields.get('x-amz-algorithm') !== ALGORITHM) {
    throw new S3Error('InvalidArgument', 'Only AWS4-HMAC-SHA256 is supported');
  }
  const { day } = checkCredential(
    fields.get('x-amz-credential') ?? '',
    fields.get('x-amz-date') ?? '',
    credentials,
    true,
  );
  if (!sameSignature(signature, hmac(signingKey(credentials, day), policy).toString('hex'))) {
    throw new S3Error('SignatureDoesNotMatch');
  }
}

function parseSignature(target: RequestTarget, headers: NodeJS.Dict<string[]>): ParsedSignature {
  const authorization = headers['authorization']?.join(',');
  const query = new Map(target.query);
  const queryAlgorithm = query.get('X-Amz-Algorithm');
  if (authorization && queryAlgorithm) {
    throw new S3Error('InvalidArgument', 'Only one auth mechanism allowed');
  }
  if (queryAlgorithm) {
    if (queryAlgorithm !== ALGORITHM) {
      throw new S3Error('AuthorizationQueryParametersError', `X-Amz-Algorithm only supports ${ALGORITHM}`);
    }
    return {
      presigned: true,
      credential: query.get('X-Amz-Credential') ?? '',
      signedHeaders: (query.get('X-Amz-SignedHeaders') ?? '').split(';'),
      signature: query.get('X-Amz-Signature') ?? '',
      date: query.get('X-Amz-Date') ?? '',
      payloadHash:
        query.get('X-Amz-Content-Sha256') ?? headers['x-amz-content-sha256']?.[0] ?? 'UNSIGNED-PAYLOAD',
    };
  }
  if (!authorization) throw new S3Error('AccessDenied');
  if (!authorization.startsWith(`${ALGORITHM} `)) {
    throw new S3Error('InvalidRequest', `Please use ${ALGORITHM}.`);
  }
  const parts = new Map(
    authorization
      .slice(ALGORITHM.length + 1)
      .split(',')
      .map((part) => {
        const [name = '', ...value] = part.trim().split('=');
        return [name, value.join('=')] as const;
      }),
  );
  const payloadHash = headers['x-amz-content-sha256']?.[0];
  if (!payloadHash) {
    throw new S3Error('InvalidRequest', 'Missing required header for this request: x-amz-content-sha256');
  }
  return {
    presigned: false,
    credential: parts.get('Credential') ?? '',
    signedHeaders: (parts.get('SignedHeaders') ?? '').split(';'),
    signature: parts.get('Signature') ?? '',
    date: headers['x-amz-date']?.[0] ?? '',
    payloadHash,
  };
}

function checkCredential(credential: string, amzDate: string, expected: Credentials, inQuery: boolean) {
  const malformed = inQuery ? 'AuthorizationQueryParametersError' : 'AuthorizationHeaderMalformed';
  const [accessKeyId, day = '', region, service, terminator, ...rest] = credential.split('/');
  if (rest.length > 0 || service !== 's3' || terminator !== 'aws4_request' || !/^\d{8}$/.test(day)) {
    throw new S3Error(malformed, 'Expected a Credential like "<key>/YYYYMMDD/REGION/s3/aws4_request".');
  }
  if (accessKeyId !== expected.accessKeyId) throw new S3Error('InvalidAccessKeyId');
  if (region !== expected.region) {
    throw new S3Error(malformed, `The region '${region}' is wrong; expecting '${expected.region}'`);
  }
  const digits = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(amzDate);
  const date = digits
    ? new Date(`${digits[1]}-${digits[2]}-${digits[3]}T${digits[4]}:${digits[5]}:${digits[6]}Z`)
    : new Date(Number.NaN);
  if (Number.isNaN(date.getTime())) {
    throw new S3Error('AccessDenied', 'AWS authentication requires a valid x-amz-date header');
  }
  if (!amzDate.startsWith(day)) {
    throw new S3Error('SignatureDoesNotMatch', 'The date of the Credential is not that of the request');
  }
  return { date, day, scope: `${day}/${region}/s3/aws4_request` };
}

function checkTime(target: RequestTarget, presigned: boolean, date: Date, now: Date): void {
  const age = now.getTime() - date.getTime();
  if (!presigned) {
    if (Math.abs(age) <= SKEW_MS) return;
    throw new S3Error('RequestTimeTooSkewed');
  }
  const text = new Map(target.query).get('X-Amz-Expires') ?? '';
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (seconds < 1 || seconds > MAX_EXPIRES_SECONDS) {
    throw new S3Error('AuthorizationQueryParametersError', 'X-Amz-Expires must be from 1 to 604800 seconds');
  }
  if (age < -SKEW_MS) throw new S3Error('AccessDenied', 'Request is not valid yet');
  if (age > seconds * 1000) throw new S3Error('AccessDenied', 'Request has expired');
}

/** Throws unless the signature covers the host and every x-amz- header; others could be added on the way. */
function checkSignedHeaders(signed: string[], headers: NodeJS.Dict<string[]>): void {
  const missing = Object.keys(headers).filter(
    (name) => (name === 'host' || name.startsWith('x-amz-')) && !signed.includes(name),
  );
  if (missing.length > 0) {
    throw new S3Error('AccessDenied', `Headers were not signed: ${missing.join(', ')}`);
  }
}

function signedSha256(hash: string): string | undefined {
  if (hash === 'UNSIGNED-PAYLOAD') return undefined;
  if (/^[0-9a-f]{64}$/.test(hash)) return hash;
  if (hash.startsWith('STREAMING-')) throw notImplemented(`aws-chunked bodies (${hash})`);
  throw new S3Error(
    'InvalidArgument',
    'x-amz-content-sha256 must be UNSIGNED-PAYLOAD or a valid sha256 value.',
  );
}

function signingKey({ secretAccessKey, region }: Credentials, day: string): Buffer {
  return [region, 's3', 'aws4_request'].reduce(
    (key, part) => hmac(key, part),
    hmac(Buffer.from(`AWS4${secretAccessKey}`), day),
  );
}
