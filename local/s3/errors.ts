/** The status and message of every error this server sends, as the S3 API reference lists them. */
const ERRORS = {
  AccessDenied: [403, 'Access Denied'],
  AccessForbidden: [403, 'CORSResponse: This CORS request is not allowed.'],
  AuthorizationHeaderMalformed: [400, 'The authorization header that you provided is not valid.'],
  AuthorizationQueryParametersError: [400, 'The query parameters of the signature are not valid.'],
  BadDigest: [400, 'The Content-MD5 that you specified did not match what the server received.'],
  EntityTooLarge: [400, 'Your proposed upload exceeds the maximum allowed size'],
  EntityTooSmall: [400, 'Your proposed upload is smaller than the minimum allowed size'],
  IncompleteBody: [400, 'The request body did not have the number of bytes that its length announced'],
  InsufficientStorage: [507, 'There is not enough space on the disk to store the object.'],
  InternalError: [500, 'An internal error occurred. Try again.'],
  InvalidAccessKeyId: [403, 'The AWS Access Key Id you provided does not exist in our records.'],
  InvalidArgument: [400, 'Invalid Argument'],
  InvalidDigest: [400, 'The Content-MD5 that you specified is not valid.'],
  InvalidPart: [400, 'One or more of the specified parts could not be found, or an ETag did not match.'],
  InvalidPartOrder: [400, 'The list of parts was not in ascending order.'],
  InvalidPolicyDocument: [400, 'The content of the form does not meet the conditions of the policy.'],
  InvalidRange: [416, 'The requested range is not satisfiable'],
  InvalidRequest: [400, 'The request is not valid.'],
  InvalidURI: [400, "Couldn't parse the specified URI."],
  MalformedPOSTRequest: [400, 'The body of your POST request is not well-formed multipart/form-data.'],
  MalformedXML: [400, 'The XML you provided was not well-formed or did not match our schema'],
  MaxMessageLengthExceeded: [400, 'Your request was too big.'],
  MaxPostPreDataLengthExceeded: [400, 'Your POST request fields preceding the upload file were too large.'],
  MissingContentLength: [411, 'You must provide the Content-Length HTTP header.'],
  NoSuchBucket: [404, 'The specified bucket does not exist'],
  NoSuchKey: [404, 'The specified key does not exist.'],
  NoSuchUpload: [404, 'The specified multipart upload does not exist, or it was aborted or completed.'],
  NotImplemented: [501, 'A header or parameter you provided implies functionality that is not implemented.'],
  PreconditionFailed: [412, 'At least one of the preconditions you specified did not hold'],
  RequestTimeTooSkewed: [403, "The difference between the request time and the server's time is too large."],
  SignatureDoesNotMatch: [403, 'The request signature we calculated does not match the one you provided.'],
  XAmzContentSHA256Mismatch: [400, "The 'x-amz-content-sha256' header does not match the body."],
} as const satisfies Record<string, readonly [number, string]>;

/** An error that the client gets as S3's XML. */
export class S3Error extends Error {
  readonly status: number;
  constructor(
    readonly code: keyof typeof ERRORS,
    message?: string,
  ) {
    super(message ?? ERRORS[code][1]);
    this.status = ERRORS[code][0];
  }
}

/** Returns the error for something the app never sends, so that whoever makes it send that knows what to add. */
export const notImplemented = (what: string) => new S3Error('NotImplemented', `Not implemented: ${what}.`);

const DISK_FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Converts anything thrown into the error the client gets. Unknown errors become InternalError. */
export function toS3Error(thrown: unknown): S3Error {
  if (thrown instanceof S3Error) return thrown;
  const code = (thrown as NodeJS.ErrnoException | undefined)?.code;
  if (code && DISK_FULL.has(code)) return new S3Error('InsufficientStorage');
  return new S3Error('InternalError');
}
