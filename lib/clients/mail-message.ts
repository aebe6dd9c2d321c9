/** An email as it is sent. */
export interface Mail {
  to: string;
  subject: string;
  html: string;
  text: string;
  /** For Resend's API; names and values are ASCII letters, digits, `_`, and `-`. */
  tags?: { name: string; value: string }[];
  /** Further headers, by name. */
  headers?: Record<string, string>;
  /** When it's too late to send it, in ISO 8601: it's dropped then. */
  expiresAt?: string;
}
