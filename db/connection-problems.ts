/** The code of an error about the file in `sslrootcert`, which isn't there or can't be read. */
export const AUTHORITY_UNREADABLE = 'SSLROOTCERT_UNREADABLE';

const UNVERIFIED = 'The database wasn’t used, because its server can’t be verified:';
const ACCEPT = 'or, if you accept that anyone on the network could pose as it, sslmode=no-verify';

const UNKNOWN_AUTHORITY = `${UNVERIFIED} the server’s certificate isn’t signed by an authority that this machine knows. Add sslrootcert=/path/to/authority.pem to DATABASE_URL, ${ACCEPT}.`;

/** Codes of Node's TLS, of OpenSSL's verification. */
const CERTIFICATE_PROBLEMS: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: `${UNVERIFIED} the server’s certificate is signed by itself. Copy it here and add sslrootcert=/path/to/it.pem to DATABASE_URL, ${ACCEPT}.`,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  CERT_UNTRUSTED: UNKNOWN_AUTHORITY,
  INVALID_CA: UNKNOWN_AUTHORITY,
  ERR_TLS_CERT_ALTNAME_INVALID: `${UNVERIFIED} the server’s certificate is for another host name than the one in DATABASE_URL. Use the name in the certificate, or sslmode=verify-ca with sslrootcert=/path/to/authority.pem, which doesn’t compare names.`,
  CERT_HAS_EXPIRED: `${UNVERIFIED} the server’s certificate has expired. Renew it there. If it’s still valid, correct this machine’s clock.`,
  CERT_NOT_YET_VALID: `${UNVERIFIED} the server’s certificate isn’t valid yet. Correct this machine’s clock, or wait.`,
};

/** What to say for a SQLSTATE or a code of ours; without one of these, the database doesn't answer. */
const PROBLEMS: Record<string, string> = {
  '28P01': 'Postgres rejected the password in DATABASE_URL.',
  '28000': 'Postgres rejected the user in DATABASE_URL.',
  '3D000': 'The database named in DATABASE_URL doesn’t exist. Create it, or fix DATABASE_URL.',
  [AUTHORITY_UNREADABLE]:
    'The file that sslrootcert in DATABASE_URL names can’t be read. Fix the path, or let the app’s user read it.',
  ...CERTIFICATE_PROBLEMS,
};

/** Returns whether a connection wasn't made because the server's certificate couldn't be verified. */
export const isCertificateProblem = (code: string): boolean => code in CERTIFICATE_PROBLEMS;

/** Returns whether there's more to say of a code than that the database doesn't answer. */
export const isKnownConnectionProblem = (code = ''): boolean => code in PROBLEMS;

/** Returns why the database can't be used, in sentences for the operator. @param code a SQLSTATE or the driver's code */
export const describeConnectionProblem = (code = ''): string =>
  PROBLEMS[code] ??
  `The database isn’t responding${code ? ` (${code})` : ''}. Start it, or fix DATABASE_URL.`;
