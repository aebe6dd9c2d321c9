import { SAFE_MESSAGE, withSafeMessage } from './shared/safe-message';

/** An error reduced to what can't quote a person's text. */
export interface SafeDescription {
  name: string;
  message: string;
  code?: string | number | undefined;
  /** Of the response that a service gave. */
  status?: number | undefined;
  /** Frames only: the first lines of a stack repeat the message. */
  stack?: string | undefined;
  cause?: SafeDescription | undefined;
}

const WITHHELD = 'The message is withheld, because it might quote personal text.';
const UNNAMED = 'Error';
const FRAMES = 8;
const DEPTH = 5;
const ISSUES = 5;

/** Messages of Node and of clients, each kept only as far as its pattern reaches. */
const FIXED_MESSAGES = [
  /^(?:connect|read|write|getaddrinfo|spawn|open|mkdir|rename|link|unlink|stat) E[A-Z_]+/,
  /^(?:fetch failed|terminated|aborted|socket hang up|Premature close)$/,
  /^(?:This|The) operation was aborted(?: due to timeout)?/,
  /^Inngest API Error: \d{3}/,
];

const isIdentifier = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z][\w.$-]{0,63}$/.test(value);

/** Returns where a value didn't fit its schema, for instance `invalid_type at words.3.start`; undefined if not of zod. */
function issuesOf(error: Error): string | undefined {
  if (!('issues' in error && Array.isArray(error.issues))) return undefined;
  const told = error.issues.slice(0, ISSUES).map((issue: { code?: unknown; path?: unknown } | null) => {
    const path = Array.isArray(issue?.path) ? issue.path : [];
    // The keys of a record may be anybody's text; those of our schemas are identifiers.
    const places = path.map((key) => (typeof key === 'number' || isIdentifier(key) ? key : '?'));
    return `${isIdentifier(issue?.code) ? issue.code : 'issue'} at ${places.join('.') || 'the top'}`;
  });
  return told.join(', ');
}

function messageOf(error: Error): string {
  if (SAFE_MESSAGE in error) return error.message;
  const issues = issuesOf(error);
  if (issues) return issues;
  for (const pattern of FIXED_MESSAGES) {
    const [kept] = pattern.exec(error.message) ?? [];
    if (kept) return kept;
  }
  return WITHHELD;
}

const FRAME = /^\s+at .*(?:[/\\\]>]\S*:\d+:\d+|node:\S+|<anonymous>|native|index \d+)\)?$/;

/**
 * Returns the frames of a stack: its last lines that look like some. The message goes first, so that a line of it can't
 * pass for a frame, unless it was changed after the stack was made.
 */
function framesOf({ stack = '', message }: Error): string | undefined {
  const lines = (message ? stack.replace(message, () => '') : stack).trimEnd().split('\n');
  const frames = lines.slice(lines.findLastIndex((line) => !FRAME.test(line)) + 1);
  return frames.length > 0 ? frames.slice(0, FRAMES).join('\n') : undefined;
}

function codeOf(error: Error): string | number | undefined {
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'number' || (typeof code === 'string' && /^[\w.-]{1,64}$/.test(code))
    ? code
    : undefined;
}

/** Returns the HTTP status that a client put on its error: the AWS SDK's, Stripe's or our own. */
function statusOf(error: Error): number | undefined {
  const { $metadata, statusCode, status } = error as {
    $metadata?: { httpStatusCode?: unknown };
    statusCode?: unknown;
    status?: unknown;
  };
  return [$metadata?.httpStatusCode, statusCode, status].find((value) => typeof value === 'number');
}

/**
 * Returns what may be said of an error outside this process. Messages are withheld unless they're known to be fixed
 * text: a driver, a service or a parser may quote journal text, names and addresses in them.
 */
export function describeError(error: unknown, depth = DEPTH): SafeDescription {
  if (!(error instanceof Error))
    return { name: UNNAMED, message: 'Something other than an error was thrown.' };
  return {
    name: isIdentifier(error.name) ? error.name : UNNAMED,
    message: messageOf(error),
    code: codeOf(error),
    status: statusOf(error),
    stack: framesOf(error),
    cause: error.cause instanceof Error && depth > 1 ? describeError(error.cause, depth - 1) : undefined,
  };
}

function rebuild({ name, message, code, status, stack, cause }: SafeDescription): Error {
  const facts = [code, status].filter((fact) => fact !== undefined).join(' ');
  const text = facts && message === WITHHELD ? `${facts}. ${message}` : message;
  const error = new Error(text, cause ? { cause: rebuild(cause) } : {});
  Object.defineProperties(error, {
    name: { value: name, configurable: true, writable: true },
    stack: { value: `${name}: ${text}${stack ? `\n${stack}` : ''}`, configurable: true, writable: true },
  });
  return withSafeMessage(Object.assign(error, code === undefined ? {} : { code }));
}

/** Returns an error with nothing but what {@link describeError} says, for whatever can only take an error. */
export function safeError(error: unknown): Error {
  return rebuild(describeError(error));
}
