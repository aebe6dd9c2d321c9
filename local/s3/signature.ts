import { S3Error } from './errors';
import { canonicalQuery, canonicalValue, encodePath, hmac, sameSignature, sha256Hex } from './sigv4';
import type { RequestTarget } from './target';

export type Credentials = { region: string; accessKeyId: string; secretAccessKey: string };

/** What a request's signature says about its body. */
export type PayloadRule =
  | { kind: 'unsigned' }
  | { kind: 'hash'; sha256: string }
  | { kind: 'chunked'; trailer: boolean; chain?: SignatureChain };

/** Where a chain of chunk signatures begins: each signature is an input of the next. */
export type SignatureChain = { key: Buffer; date: string; scope: string; seed: string };

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
 * Verifies AWS Signature Version 4 in the Authorization header or in the query, and says how the body is
 * to be read. The canonical request is built here, not by the SDK's signer, because a verifier must take
 * exactly the headers that the client names. Throws the StorageError that S3 gives.
 * Source: "Authenticating Requests (AWS Signature Version 4)" in the S3 API reference.
 */
export function authenticate(
  target: RequestTarget,
  headers: NodeJS.Dict<string[]>,
  credentials: Credentials,
  now: Date,
): { presigned: boolean; payload: PayloadRule } {
  const claim = parseSignature(target, headers);
  const { date, day, scope } = checkCredential(claim.credential, claim.date, credentials, claim.presigned);
  checkTime(target, claim.presigned, date, now);
  checkSignedHeaders(claim.signedHeaders, headers);

  const canonical = [
    target.method,
    encodePath(target.path),
    canonicalQuery(target.query),
    ...claim.signedHeaders.map((name) => `${name}:${canonicalValue(headers[name])}`),
    '',
    claim.signedHeaders.join(';'),
    claim.payloadHash,
  ].join('\n');
  const key = signingKey(credentials, day);
  const toSign = [ALGORITHM, claim.date, scope, sha256Hex(canonical)].join('\n');
  if (!sameSignature(claim.signature, hmac(key, toSign).toString('hex'))) {
    throw new S3Error('SignatureDoesNotMatch', undefined, {
      AWSAccessKeyId: credentials.accessKeyId,
      StringToSign: toSign,
      SignatureProvided: claim.signature,
      CanonicalRequest: canonical,
    });
  }
  const chain = { key, date: claim.date, scope, seed: claim.signature };
  return { presigned: claim.presigned, payload: payloadRule(claim.payloadHash, chain) };
}

/** Checks the credential and signature of a POST policy; the policy itself is what was signed. */
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
    throw new S3Error('SignatureDoesNotMatch', undefined, { StringToSign: policy });
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
    throw new S3Error(
      'InvalidRequest',
      `The authorization mechanism is not supported. Please use ${ALGORITHM}.`,
    );
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
    date: headers['x-amz-date']?.[0] ?? basicDate(headers['date']?.[0]),
    payloadHash,
  };
}

function checkCredential(credential: string, amzDate: string, expected: Credentials, inQuery: boolean) {
  const malformed = inQuery ? 'AuthorizationQueryParametersError' : 'AuthorizationHeaderMalformed';
  const [accessKeyId, day = '', region, service, terminator, ...rest] = credential.split('/');
  if (rest.length > 0 || service !== 's3' || terminator !== 'aws4_request' || !/^\d{8}$/.test(day)) {
    throw new S3Error(
      malformed,
      'The Credential is mal-formed; expecting "<key>/YYYYMMDD/REGION/s3/aws4_request".',
    );
  }
  if (accessKeyId !== expected.accessKeyId) {
    throw new S3Error('InvalidAccessKeyId', undefined, { AWSAccessKeyId: accessKeyId ?? '' });
  }
  if (region !== expected.region) {
    const message = `The region '${region}' is wrong; expecting '${expected.region}'`;
    throw new S3Error(malformed, message, { Region: expected.region });
  }
  const parsed = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(amzDate);
  const date = parsed
    ? new Date(`${parsed[1]}-${parsed[2]}-${parsed[3]}T${parsed[4]}:${parsed[5]}:${parsed[6]}Z`)
    : new Date(Number.NaN);
  if (Number.isNaN(date.getTime())) {
    throw new S3Error('AccessDenied', 'AWS authentication requires a valid Date or x-amz-date header');
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
    throw new S3Error('RequestTimeTooSkewed', undefined, {
      RequestTime: date.toISOString(),
      ServerTime: now.toISOString(),
      MaxAllowedSkewMilliseconds: String(SKEW_MS),
    });
  }
  const text = new Map(target.query).get('X-Amz-Expires') ?? '';
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (seconds < 1 || seconds > MAX_EXPIRES_SECONDS) {
    throw new S3Error('AuthorizationQueryParametersError', 'X-Amz-Expires must be from 1 to 604800 seconds');
  }
  if (age < -SKEW_MS) throw new S3Error('AccessDenied', 'Request is not valid yet');
  if (age > seconds * 1000) {
    throw new S3Error('AccessDenied', 'Request has expired', {
      'X-Amz-Expires': text,
      Expires: new Date(date.getTime() + seconds * 1000).toISOString(),
      ServerTime: now.toISOString(),
    });
  }
}

/** The host and every x-amz- header must be covered, or somebody on the way could add meaning. */
function checkSignedHeaders(signed: string[], headers: NodeJS.Dict<string[]>): void {
  const missing = Object.keys(headers).filter(
    (name) => (name === 'host' || name.startsWith('x-amz-')) && !signed.includes(name),
  );
  if (missing.length > 0) {
    throw new S3Error('AccessDenied', 'There were headers present in the request which were not signed', {
      HeadersNotSigned: missing.join(', '),
    });
  }
}

function payloadRule(hash: string, chain: SignatureChain): PayloadRule {
  switch (hash) {
    case 'UNSIGNED-PAYLOAD':
      return { kind: 'unsigned' };
    case 'STREAMING-UNSIGNED-PAYLOAD-TRAILER':
      return { kind: 'chunked', trailer: true };
    case 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD':
      return { kind: 'chunked', trailer: false, chain };
    case 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER':
      return { kind: 'chunked', trailer: true, chain };
  }
  if (/^[0-9a-f]{64}$/.test(hash)) return { kind: 'hash', sha256: hash };
  if (hash.startsWith('STREAMING-')) throw new S3Error('NotImplemented');
  throw new S3Error(
    'InvalidArgument',
    'x-amz-content-sha256 must be UNSIGNED-PAYLOAD, a STREAMING- form, or a valid sha256 value.',
  );
}

function signingKey({ secretAccessKey, region }: Credentials, day: string): Buffer {
  return [region, 's3', 'aws4_request'].reduce(
    (key, part) => hmac(key, part),
    hmac(Buffer.from(`AWS4${secretAccessKey}`), day),
  );
}

function basicDate(httpDate: string | undefined): string {
  const date = new Date(httpDate ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? '' : `${date.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
}
