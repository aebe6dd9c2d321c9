import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

/** Where the sentences that people read are written: screens, emails, API messages, and failed jobs. */
const FOLDERS = ['app', 'components', 'lib', 'inngest'];

/** Tests, and what they type in: people's words, which follow no rule of ours. */
const TESTS = /\.test\.tsx?$|\/fixtures\//;

/** Strings that the product specification fixes. Only what would break a rule is listed. */
const FIXED = [
  "You have reached your plan's quota.",
  "Here's a quick look at your recent entries and journal stats.",
  'Please check your email for a verification code or click the following button to resend.',
  'Please check your email to finish verifying your account.',
  'Please upload a video file.',
  'Processing your recent upload. Please wait momentarily.',
  'Network Error',
  'Loading...',
  'Logging out...',
  'Tag name...',
  'Transcription is still processing... Try again in a few moments',
  'Trying to verify...',
  'Uploading...',
  'Add Tag',
  'Background Color',
  'Buy Now',
  'Current Plan',
  'My Journal Entries',
  'New Password',
  'Plan Details',
  'Plan Selection Modal',
  'Post Note',
  'Remove File',
  'Resend Verification',
  'Reset Password',
  'Start New Recording',
  'Start Recording',
  'Stop Recording',
  'Update Profile',
  'Upgrade Plan',
  'Upload Video',
  'Video Settings',
  'Your Data',
  'Welcome to Your Video Journal',
];

/** Names, which keep their capitals. */
const NAMES = [
  'Day One',
  'Daylight',
  'Google Photos',
  'Live Photo',
  'On This Day',
  'Proton Mail',
  'Times New Roman',
  'Yahoo Mail',
];

interface Rule {
  pattern: RegExp;
  /** What to write instead. */
  use: string;
  /** Checked only in `app` and `components`, where every string is on screen. */
  onScreen?: boolean;
}

const RULES: readonly Rule[] = [
  { pattern: /[\p{L}\uFFFC]'\p{L}|&(?:apos|#39);/u, use: 'a typographic apostrophe (’)' },
  { pattern: /(?:^|[\s(])"(?=\p{L})|&quot;/u, use: 'typographic quotes (“ ”)' },
  { pattern: /[\p{L}\d]\.\.\.(?=\s|$)/u, use: 'an ellipsis character (…)' },
  { pattern: /\bplease\b/i, use: 'the verb alone' },
  {
    pattern: /\b(?:cannot|(?:could|did|do|does|has|have|is|are|was|were|will|would|should) not)\b/u,
    use: 'a contraction',
  },
  {
    pattern: /^\s*\p{Lu}\p{Ll}+(?: (?:to|of|in|the|and|a|\p{Lu}\p{Ll}+))*? \p{Lu}\p{Ll}+\s*$/u,
    use: 'sentence case',
    onScreen: true,
  },
];

/** Calls whose strings only developers and operators read. A MediaError gets its sentence from its kind. */
const DEVELOPER_CALL = /^(?:log|console)\.|^(?:Type|Range|Media)?Error$/;

function isSkipped(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return true;
  if (ts.isTaggedTemplateExpression(node)) return true;
  if (ts.isJsxAttribute(node)) return node.name.getText() === 'className';
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return false;
  return DEVELOPER_CALL.test(node.expression.getText());
}

/** Returns a node's text, with U+FFFC for each value that a template fills in. Undefined if it has none. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isJsxText(node) || ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
    return node.text;
  }
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `\uFFFC${literal.text}`).join('');
}

/** Returns how the strings of a source file break the rules for text that people read, one message for each. */
export function findTextProblems(path: string, source: string): { line: number; message: string }[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const onScreen = /^(?:app|components)\//.test(path);
  const found: { line: number; message: string }[] = [];

  function check(node: ts.Node, text: string): void {
    const plain = text.replace(/\s+/g, ' ');
    const checked = [...FIXED, ...NAMES].reduce((rest, fixed) => rest.replaceAll(fixed, ''), plain);
    for (const rule of RULES) {
      const [match] = rule.pattern.exec(checked) ?? [];
      if (match === undefined || (rule.onScreen && !onScreen)) continue;
      // A comment before JSX text would be part of it, so only there the leading space can be skipped by hand.
      const start = ts.isJsxText(node) ? node.pos + node.text.search(/\S|$/) : node.getStart();
      found.push({
        line: file.getLineAndCharacterOfPosition(start).line + 1,
        message: `“${plain.trim()}” has “${match.trim()}”; use ${rule.use}`,
      });
    }
  }

  function visit(node: ts.Node): void {
    if (isSkipped(node)) return;
    const text = textOf(node);
    if (text !== undefined) check(node, text);
    ts.forEachChild(node, visit);
  }
  visit(file);
  return found;
}

function main(): void {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...FOLDERS]);
  const paths = String(listed)
    .split('\n')
    .filter((path) => /\.tsx?$/.test(path) && !TESTS.test(path) && existsSync(path));
  const found = paths.flatMap((path) =>
    findTextProblems(path, readFileSync(path, 'utf8')).map(
      ({ line, message }) => `${path}:${line}: ${message}`,
    ),
  );
  for (const message of found) console.error(message);
  if (found.length > 0) {
    console.error(`${found.length} strings to rewrite. scripts/check-text.ts lists the rules.`);
    process.exitCode = 1;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
