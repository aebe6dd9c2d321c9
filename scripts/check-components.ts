import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { bare } from './test-syntax';

const CHECKED = /^(?:app|components)\/(?!.*\.test\.tsx?$).*\.tsx?$/;

/** The one place that reads what a press says, since that depends on input methods and layouts. */
const KEYS = 'components/ui/key-of.ts';
const PRESS_PROPERTIES = new Set(['code', 'isComposing', 'key', 'keyCode', 'which']);

const SHORT_CIRCUITS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
]);

const TEXT = ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.Any;

interface Problem {
  line: number;
  message: string;
}

const partsOf = (type: ts.Type): ts.Type[] => (type.isUnion() ? type.types.flatMap(partsOf) : [type]);

/** Returns whether a type is of something that React renders as a text node. Translation leaves white space alone. */
function isText(type: ts.Type): boolean {
  if (type.isStringLiteral()) return type.value.trim() !== '';
  // What's left of `list.length && …`.
  if (type.isNumberLiteral()) return type.value !== 0;
  return (type.flags & TEXT) !== 0;
}

function describeChild(node: ts.JsxChild, checker: ts.TypeChecker) {
  if (ts.isJsxText(node)) return { mayBeText: true, comesAndGoes: false };
  if (!ts.isJsxExpression(node) || !node.expression) return { mayBeText: false, comesAndGoes: false };
  const shown = bare(node.expression);
  const parts = partsOf(checker.getTypeAtLocation(shown));
  const isConditional =
    ts.isConditionalExpression(shown) ||
    (ts.isBinaryExpression(shown) && SHORT_CIRCUITS.has(shown.operatorToken.kind));
  const isList =
    ts.isCallExpression(shown) &&
    ts.isPropertyAccessExpression(shown.expression) &&
    /^(?:flatMap|map)$/.test(shown.expression.name.text);
  return {
    mayBeText: parts.some(isText),
    comesAndGoes: isList || (isConditional && !parts.every(isText)),
  };
}

/** Returns the children of an element that are rendered; those on several lines lose the space between. */
const renderedChildren = ({ children }: ts.JsxElement | ts.JsxFragment) =>
  children.filter(
    (child) =>
      !(ts.isJsxText(child) && child.text.trim() === '') && !(ts.isJsxExpression(child) && !child.expression),
  );

/** Finds text that stands beside what comes and goes: a page that's translated would crash. */
function findLooseText(node: ts.Node, checker: ts.TypeChecker): string | null {
  if (!ts.isJsxElement(node) && !ts.isJsxFragment(node)) return null;
  const children = renderedChildren(node).map((child) => describeChild(child, checker));
  if (children.length < 2) return null;
  const isLoose = children.some(
    ({ comesAndGoes, mayBeText }, index) =>
      comesAndGoes && (mayBeText || children.some((other, at) => at !== index && other.mayBeText)),
  );
  return isLoose
    ? 'text stands beside what comes and goes, and a translated page would crash: put it in an element of its own, or make all of it one string'
    : null;
}

const isPress = (type: ts.Type): boolean =>
  partsOf(type).some(
    (part) =>
      part.getSymbol()?.name === 'KeyboardEvent' ||
      part.getBaseTypes?.()?.some((base) => base.getSymbol()?.name === 'KeyboardEvent'),
  );

/** Finds what reads a press itself, and so takes an input method's Enter for one, or misses a letter of another layout. */
function findBareKey(node: ts.Node, checker: ts.TypeChecker): string | null {
  const isRead =
    ts.isPropertyAccessExpression(node) &&
    PRESS_PROPERTIES.has(node.name.text) &&
    isPress(checker.getTypeAtLocation(node.expression));
  const isTakenApart =
    ts.isBindingElement(node) &&
    PRESS_PROPERTIES.has((node.propertyName ?? node.name).getText()) &&
    isPress(checker.getTypeAtLocation(node.parent));
  return isRead || isTakenApart ? `a press is read here: use keyOf() of ${KEYS}` : null;
}

/** Returns what translation, an input method, or another keyboard would break in a source file. */
export function findComponentProblems(
  file: ts.SourceFile,
  checker: ts.TypeChecker,
  { mayReadKeys = false } = {},
): Problem[] {
  const found: Problem[] = [];
  const visit = (node: ts.Node): void => {
    const messages = [findLooseText(node, checker), mayReadKeys ? null : findBareKey(node, checker)];
    for (const message of messages) {
      if (!message) continue;
      found.push({ line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1, message });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Returns a program of the project's files that are in the browser. @throws Error if the settings can't be read */
function readProgram(): ts.Program {
  const config = ts.getParsedCommandLineOfConfigFile(
    'tsconfig.json',
    { noEmit: true, incremental: false },
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic({ messageText }) {
        throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
      },
    },
  );
  const names = config?.fileNames ?? [];
  const wanted = names.filter((name) => name.endsWith('.d.ts') || CHECKED.test(relative('.', name)));
  return ts.createProgram(wanted, config?.options ?? {});
}

function main(): void {
  const program = readProgram();
  const checker = program.getTypeChecker();
  const found = program.getSourceFiles().flatMap((file) => {
    const path = relative('.', file.fileName);
    if (!CHECKED.test(path)) return [];
    return findComponentProblems(file, checker, { mayReadKeys: path === KEYS }).map(
      ({ line, message }) => `${path}:${line}: ${message}`,
    );
  });
  for (const message of found) console.error(message);
  if (found.length > 0) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
