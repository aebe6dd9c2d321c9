import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import {
  bare,
  calleeOf,
  expectOf,
  isFilled,
  isGiven,
  isInFile,
  isInside,
  mentions,
  methodOf,
  modifiersOf,
  namesIn,
  plain,
  relatedNames,
  scopeOf,
  some,
} from './test-syntax';

/** Where tests are, and the helpers that assert for them. */
const FOLDERS = ['app', 'components', 'db', 'e2e', 'inngest', 'lab', 'lib', 'local', 'test'];

/** Methods that never call their function for an empty list. */
const EACH = new Set(['every', 'flatMap', 'forEach', 'map']);

/** Matchers that fail for an empty list, unless they're negated or told to expect one. */
const COUNTING =
  /^to(?:Be(?:GreaterThan(?:OrEqual)?)?|Contain(?:Equal|Text)?|Equal|Have(?:Count|Length|Size|Text)|Match(?:InlineSnapshot|Object)?|StrictEqual)$/;

const NOTHING = new Set(['', '[]', '0', '{}', "''", 'false', 'undefined', 'null', 'new Set()', 'new Map()']);

/** Playwright's matchers that wait for what they check. */
const WAITING =
  /^to(?:Be(?:Attached|Checked|Disabled|Editable|Empty|Enabled|Focused|Hidden|InViewport|OK|Visible)|Contain(?:Class|Text)|Have(?:Accessible\w+|Attribute|Class|Count|CSS|Id|JSProperty|Role|Screenshot|Text|Title|URL|Values?)|MatchAriaSnapshot|Pass)$/;

const SHORT_CIRCUITS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
]);

const EXPECT = /(?:^|\.)expect(?:\p{Lu}|$|\.)/u;

/** Calls that fail a test without `expect`: those that wait, property tests, and helpers named `assertSomething`. */
const FAILING =
  /^(?:\w+\.)*(?:(?:expect|assert)(?:\p{Lu}\w*)?(?:\.poll|\.soft)?|waitFor(?:\p{Lu}\w*)?|waitUntil)$|^fc\.assert$/u;

const TEST = /^(?:it|test)(?:\.(?:concurrent|each|fails|for|only|runIf|sequential|skip|skipIf))*$/;

/** A comment that says why a list or a branch may lack what's asserted. */
const MAY_BE_EMPTY = /\/\/ May be empty: \w/;

interface Problem {
  line: number;
  message: string;
}

/** Returns how the tests in a source file can pass without having checked anything, one message for each place. */
export function findAssertionProblems(path: string, source: string): Problem[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const lines = source.split('\n');
  const found: Problem[] = [];
  const functions = new Map<string, ts.Node>();
  const expects: ts.CallExpression[] = [];
  const asserting = new Map<ts.Node, boolean>();
  some(file, (node) => {
    if (ts.isFunctionDeclaration(node) && node.name) functions.set(node.name.text, node);
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) functions.set(node.name.text, node);
    if (ts.isCallExpression(node) && EXPECT.test(calleeOf(node))) expects.push(node);
    return false;
  });
  const asserts = (node: ts.Node): boolean => expects.some((one) => isInside(one, node));

  function report(node: ts.Node, message: string): void {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    if (![lines[line], lines[line - 1]].some((text) => MAY_BE_EMPTY.test(text ?? '')))
      found.push({ line: line + 1, message });
  }

  /** Returns whether something in a node can fail a test, also in a function of this file that it calls. */
  function canFail(node: ts.Node): boolean {
    const known = asserting.get(node);
    if (known !== undefined) return known;
    asserting.set(node, false);
    const result = some(node, (one) => {
      if (!ts.isCallExpression(one)) return false;
      if (FAILING.test(calleeOf(one) || methodOf(one))) return true;
      const called = functions.get(calleeOf(one));
      return called !== undefined && !isInside(one, called) && canFail(called);
    });
    asserting.set(node, result);
    return result;
  }

  /** Returns whether something asserts after each test around a node. */
  function isCheckedAfter(node: ts.Node): boolean {
    for (let at: ts.Node = node; at.parent; at = at.parent) {
      if (
        ts.forEachChild(
          at.parent,
          (one) => ts.isExpressionStatement(one) && calleeOf(one.expression) === 'afterEach' && canFail(one),
        )
      )
        return true;
    }
    return false;
  }

  /** Returns whether a node is in a function that a property test calls, with values that it has drawn. */
  function isInProperty(node: ts.Node): boolean {
    for (let at: ts.Node = node; at.parent; at = at.parent) {
      if (/^fc\.(?:async)?property$/i.test(calleeOf(at.parent))) return true;
    }
    return false;
  }

  /** Returns whether an assertion fails if what these names hold is empty. */
  function counts(node: ts.Node, wanted: ReadonlySet<string>): boolean {
    if (!ts.isCallExpression(node) || !COUNTING.test(methodOf(node))) return false;
    const [actual] = expectOf(node)?.arguments ?? [];
    if (!actual || !mentions(actual, wanted) || /\.(?:every|some)\(/.test(plain(actual))) return false;
    const isNegated = modifiersOf(node).includes('not');
    const expectsNothing = NOTHING.has(node.arguments[0] ? plain(node.arguments[0]) : '');
    return expectsNothing === isNegated || methodOf(node) === 'toBeGreaterThan';
  }

  function checkLoop(node: ts.Node, list: ts.Expression): void {
    const scope = scopeOf(node);
    if (scope === file || isFilled(list) || isInProperty(node)) return;
    const wanted = relatedNames(list, scope);
    const isShared = namesIn(list).some((name) => isInFile(name));
    if (some(isShared ? file : scope, (one) => counts(one, wanted) && !isInside(one, node))) return;
    report(
      node,
      `asserts for each of “${plain(list)}”, which may be empty: assert its length or content, too`,
    );
  }

  /** Checks that something is asserted for each outcome. What the test was given may decide what to assert. */
  function checkBranch(condition: ts.Expression, branch: ts.Node, other?: ts.Node): void {
    if (!asserts(branch) || isGiven(condition) || isInProperty(branch)) return;
    if (other && some(other, (one) => ts.isThrowStatement(one) || asserts(one))) return;
    const scope = scopeOf(branch);
    const text = plain(condition);
    const wanted = new Set(namesIn(condition).flatMap((name) => [...relatedNames(name, scope)]));
    const isBehind = (node: ts.Node): boolean =>
      node.parent !== undefined &&
      ((ts.isIfStatement(node.parent) && plain(node.parent.expression) === text) || isBehind(node.parent));
    const isChecked = expects.some((one) => {
      if (!isInside(one, scope) || isInside(one, branch) || isBehind(one)) return false;
      return one.arguments[0] !== undefined && mentions(one.arguments[0], wanted);
    });
    if (!isChecked) report(branch, `asserts only if “${text}”, which nothing else checks`);
  }

  function checkStatement({ expression: call }: ts.ExpressionStatement): void {
    if (!ts.isCallExpression(call)) return;
    const start = expectOf(call);
    const [property] = calleeOf(call) === 'fc.assert' ? call.arguments : [];
    const waits =
      (property && calleeOf(property) === 'fc.asyncProperty') ||
      (start && calleeOf(start) === 'expect.poll') ||
      (start && modifiersOf(call).some((name) => name === 'resolves' || name === 'rejects')) ||
      (start && path.endsWith('.spec.ts') && WAITING.test(methodOf(call)));
    if (start === call) report(call, 'has no matcher');
    else if (waits) report(call, 'isn’t awaited');
  }

  function checkCall(call: ts.CallExpression): void {
    const [first] = call.arguments;
    const method = methodOf(call);
    if (first && EACH.has(method) && ts.isPropertyAccessExpression(call.expression)) {
      const isAsserted = method === 'every' && calleeOf(call.parent) === 'expect';
      if (isAsserted || (ts.isFunctionLike(first) && asserts(first)))
        checkLoop(call, call.expression.expression);
    }
    if (method === 'catch' && call.arguments.some(asserts)) report(call, 'asserts only if something throws');
    const [actual] = expectOf(call)?.arguments ?? [];
    if (
      first &&
      actual &&
      first !== actual &&
      plain(bare(actual)) === plain(bare(first)) &&
      some(actual, ts.isCallExpression)
    )
      report(call, 'compares a call with the same call');
    const name = calleeOf(ts.isCallExpression(call.expression) ? call.expression : call);
    const body = TEST.test(name) ? call.arguments.find(ts.isFunctionLike) : undefined;
    if (body && !canFail(body) && !isCheckedAfter(call)) report(call, 'asserts nothing');
  }

  function visit(node: ts.Node): void {
    if (ts.isForOfStatement(node) && asserts(node.statement)) checkLoop(node, node.expression);
    else if (ts.isExpressionStatement(node)) checkStatement(node);
    else if (ts.isCallExpression(node)) checkCall(node);
    else if (ts.isIfStatement(node)) {
      checkBranch(node.expression, node.thenStatement, node.elseStatement);
      if (node.elseStatement) checkBranch(node.expression, node.elseStatement, node.thenStatement);
    } else if (ts.isConditionalExpression(node)) {
      checkBranch(node.condition, node.whenTrue, node.whenFalse);
      checkBranch(node.condition, node.whenFalse, node.whenTrue);
    } else if (ts.isBinaryExpression(node) && SHORT_CIRCUITS.has(node.operatorToken.kind)) {
      checkBranch(node.left, node.right);
    } else if (ts.isCatchClause(node) && asserts(node) && !asserts(node.parent.tryBlock)) {
      report(node, 'asserts only if something throws');
    }
    ts.forEachChild(node, visit);
  }
  visit(file);
  return found;
}

function main(): void {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...FOLDERS]);
  const found = String(listed)
    .split('\n')
    .filter((path) => /\.tsx?$/.test(path) && existsSync(path))
    .flatMap((path) => {
      const source = readFileSync(path, 'utf8');
      if (!/\bexpect\b|\bit\(|\btest\(/.test(source)) return [];
      return findAssertionProblems(path, source).map(({ line, message }) => `${path}:${line}: ${message}`);
    });
  for (const message of found) console.error(message);
  if (found.length > 0) {
    console.error(`${found.length} places where tests may check nothing. docs/testing.md says what to do.`);
    process.exitCode = 1;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
