import ts from 'typescript';

/** Methods whose result has as many elements as what they're called on. */
const SAME_LENGTH = new Set([
  ...['all', 'entries', 'keys', 'map', 'reverse', 'sort', 'toReversed', 'toSorted', 'values', 'with'],
]);

/** Functions whose result has as many elements as their argument. */
const SAME_AS_ARGUMENT =
  /^(?:Array\.from|Object\.(?:entries|fromEntries|keys|values)|Promise\.(?:all|allSettled)|structuredClone)$/;

const SPACES = /\s+/g;

/** Returns a node’s source on one line. */
export const plain = (node: ts.Node): string => node.getText().replace(SPACES, ' ');

export function some(node: ts.Node, test: (node: ts.Node) => boolean): boolean {
  return test(node) || (ts.forEachChild(node, (child) => some(child, test) || undefined) ?? false);
}

export const isInside = (node: ts.Node, outer: ts.Node): boolean =>
  node.pos >= outer.pos && node.end <= outer.end;

/** Returns an expression without parentheses, `await`, `as`, `satisfies`, and `!`. */
export function bare(node: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(node) ||
    ts.isAwaitExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node)
    ? bare(node.expression)
    : node;
}

/** Returns the dotted name that's called, such as `expect.poll`, or '' if it isn't only names. */
export function calleeOf(node: ts.Node): string {
  if (!ts.isCallExpression(node)) return '';
  const nameOf = (of: ts.Expression): string => {
    if (ts.isIdentifier(of)) return of.text;
    if (!ts.isPropertyAccessExpression(of)) return '';
    const before = nameOf(of.expression);
    return before && `${before}.${of.name.text}`;
  };
  return nameOf(node.expression);
}

/** Returns the `expect(…)` that a chain of calls and properties begins with, if it does. */
export function expectOf(node: ts.Expression): ts.CallExpression | undefined {
  if (ts.isCallExpression(node)) {
    return /^expect(?:\.soft|\.poll)?$/.test(calleeOf(node)) ? node : expectOf(node.expression);
  }
  return ts.isPropertyAccessExpression(node) ? expectOf(node.expression) : undefined;
}

/** Returns the name of the method that a call calls, such as `toEqual`. */
export const methodOf = (node: ts.CallExpression): string =>
  ts.isPropertyAccessExpression(node.expression) ? node.expression.name.text : '';

/** Returns what's between `expect(…)` and its matcher, such as `rejects` and `not`. */
export function modifiersOf(call: ts.CallExpression): string[] {
  const found: string[] = [];
  let at = ts.isPropertyAccessExpression(call.expression) ? call.expression.expression : undefined;
  for (; at && ts.isPropertyAccessExpression(at); at = at.expression) found.push(at.name.text);
  return found;
}

/** Returns the outermost function around a node that isn’t the body of a `describe`: a test, or a helper. */
export function scopeOf(node: ts.Node): ts.Node {
  let scope: ts.Node = node.getSourceFile();
  for (let at: ts.Node | undefined = node; at; at = at.parent) {
    if (!ts.isFunctionLike(at) || /^(?:test\.)?describe/.test(calleeOf(at.parent))) continue;
    const isDescribed =
      ts.isCallExpression(at.parent) && /^(?:test\.)?describe\b/.test(plain(at.parent.expression));
    if (!isDescribed) scope = at;
  }
  return scope;
}

const names = (found: ts.BindingName): string[] =>
  ts.isIdentifier(found)
    ? [found.text]
    : found.elements.flatMap((element) => (ts.isBindingElement(element) ? names(element.name) : []));

type Declaration = ts.ParameterDeclaration | ts.VariableDeclaration;

/** Returns the declaration that a name has where it's used. Undefined for what's imported or global. */
export function declarationOf(name: ts.Identifier): Declaration | undefined {
  for (let at: ts.Node | undefined = name.parent; at; at = at.parent) {
    const declared: Declaration[] = [];
    if (ts.isFunctionLike(at)) declared.push(...at.parameters.filter(ts.isParameter));
    if (ts.isForOfStatement(at) && ts.isVariableDeclarationList(at.initializer))
      declared.push(...at.initializer.declarations);
    if (ts.isBlock(at) || ts.isSourceFile(at) || ts.isCaseClause(at)) {
      declared.push(
        ...at.statements
          .filter(ts.isVariableStatement)
          .flatMap((one) => [...one.declarationList.declarations]),
      );
    }
    const found = declared.find((one) => names(one.name).includes(name.text));
    if (found) return found;
  }
  return undefined;
}

/** Returns whether a name is declared for all of its file. */
export function isInFile(name: ts.Identifier): boolean {
  const declared = declarationOf(name);
  return declared !== undefined && ts.isSourceFile(declared.parent.parent.parent);
}

const isConst = (declared: ts.VariableDeclaration): boolean =>
  (ts.getCombinedNodeFlags(declared) & ts.NodeFlags.Const) !== 0;

/** Returns whether the argument of `Array` or `Array.from` says a length, such as `3` or `{ length: 3 }`. */
function isLength(node: ts.Expression): boolean {
  if (ts.isNumericLiteral(node)) return node.text !== '0';
  return (
    ts.isObjectLiteralExpression(node) && node.properties.some((one) => one.name?.getText() === 'length')
  );
}

/**
 * Returns whether a list is written down as one that isn’t empty: a literal, a constant that's declared with one, an
 * imported CONSTANT, a parameter (its callers write it down), or what maps or sorts one of these.
 */
export function isFilled(node: ts.Expression): boolean {
  const value = bare(node);
  if (ts.isArrayLiteralExpression(value)) {
    return value.elements.some((one) => !ts.isSpreadElement(one) || isFilled(one.expression));
  }
  if (ts.isObjectLiteralExpression(value)) {
    return value.properties.some((one) => !ts.isSpreadAssignment(one) || isFilled(one.expression));
  }
  if (ts.isStringLiteralLike(value)) return value.text !== '';
  if (ts.isConditionalExpression(value)) return isFilled(value.whenTrue) && isFilled(value.whenFalse);
  if (ts.isNewExpression(value)) return value.arguments?.[0] !== undefined && isFilled(value.arguments[0]);
  if (ts.isCallExpression(value)) {
    const [first] = value.arguments;
    const callee = calleeOf(value);
    if (first && /^Array(?:\.from)?$/.test(callee) && isLength(first)) return true;
    if (first && SAME_AS_ARGUMENT.test(callee)) return isFilled(first);
    if (!ts.isPropertyAccessExpression(value.expression)) return false;
    const method = value.expression.name.text;
    return method === 'split' || (SAME_LENGTH.has(method) && isFilled(value.expression.expression));
  }
  if (ts.isPropertyAccessExpression(value) || ts.isElementAccessExpression(value)) {
    return ts.isIdentifier(value.expression) && isConstant(value.expression);
  }
  if (!ts.isIdentifier(value)) return false;
  const declared = declarationOf(value);
  if (!declared) return isConstant(value);
  if (ts.isParameter(declared)) return true;
  const around = declared.parent.parent;
  if (ts.isForOfStatement(around)) return isFilled(around.expression);
  if (!declared.initializer || !ts.isIdentifier(declared.name) || !isConst(declared)) return false;
  return isFilled(declared.initializer) || isFilledIn(around.parent, value.text);
}

/** Returns whether a block certainly adds something to the list of this name: not if or in a function, and in no loop that may be empty. */
function isFilledIn(block: ts.Node, name: string): boolean {
  const adds = new RegExp(`^${name}\\.(?:add|push|set|unshift)$`);
  const isCertain = (node: ts.Node): boolean => {
    if (node === block) return true;
    if (ts.isFunctionLike(node) || ts.isIfStatement(node) || ts.isConditionalExpression(node)) return false;
    if (ts.isForOfStatement(node) && !isLiteral(node.expression)) return false;
    return isCertain(node.parent);
  };
  return some(block, (one) => adds.test(calleeOf(one)) && isCertain(one));
}

const isLiteral = (node: ts.Expression): boolean => ts.isArrayLiteralExpression(bare(node)) && isFilled(node);

const isConstant = (name: ts.Identifier): boolean =>
  /^[A-Z][A-Z\d_]*$/.test(name.text) && !declarationOf(name);

/** Returns the names that a value is read from: `made.list` and `made` for `Object.entries(made.list).filter(…)`. */
export function rootsOf(node: ts.Expression): string[] {
  const value = bare(node);
  if (ts.isIdentifier(value)) return [value.text];
  if (ts.isPropertyAccessExpression(value) || ts.isElementAccessExpression(value)) {
    return [plain(value), ...rootsOf(value.expression)];
  }
  if (ts.isBinaryExpression(value)) return rootsOf(value.left);
  if (ts.isArrayLiteralExpression(value)) {
    return value.elements.flatMap((one) => (ts.isSpreadElement(one) ? rootsOf(one.expression) : []));
  }
  if (ts.isNewExpression(value)) return value.arguments?.[0] ? rootsOf(value.arguments[0]) : [];
  if (!ts.isCallExpression(value)) return [];
  if (SAME_AS_ARGUMENT.test(calleeOf(value))) return value.arguments[0] ? rootsOf(value.arguments[0]) : [];
  return ts.isPropertyAccessExpression(value.expression)
    ? rootsOf(value.expression.expression)
    : rootsOf(value.expression);
}

/** Returns what an expression is read from, what that was made from, and what else was made from it in a scope. */
export function relatedNames(node: ts.Expression, scope: ts.Node): Set<string> {
  const value = bare(node);
  const found = new Set(rootsOf(value));
  const declared = ts.isIdentifier(value) ? declarationOf(value) : undefined;
  const loop = declared?.parent.parent;
  if (loop && ts.isForOfStatement(loop))
    for (const name of relatedNames(loop.expression, scope)) found.add(name);
  else if (declared?.initializer) for (const name of rootsOf(declared.initializer)) found.add(name);
  some(scope, (one) => {
    if (ts.isVariableDeclaration(one) && one.initializer && ts.isIdentifier(one.name)) {
      if (rootsOf(one.initializer).some((name) => found.has(name))) found.add(one.name.text);
    }
    return false;
  });
  return found;
}

export const mentions = (node: ts.Node, wanted: ReadonlySet<string>): boolean =>
  some(node, (one) =>
    ts.isIdentifier(one)
      ? wanted.has(one.text)
      : ts.isPropertyAccessExpression(one) && wanted.has(plain(one)),
  );

/** Returns the names of the values that an expression uses. */
export function namesIn(node: ts.Node): ts.Identifier[] {
  if (ts.isIdentifier(node)) return [node];
  if (ts.isPropertyAccessExpression(node)) return namesIn(node.expression);
  const found: ts.Identifier[] = [];
  ts.forEachChild(node, (child) => void found.push(...namesIn(child)));
  return found;
}

/** Returns whether a value is known before the test does anything: from its table, a parameter, or its file. */
export function isGiven(node: ts.Node): boolean {
  if (
    some(
      node,
      (one) => ts.isAwaitExpression(one) || (ts.isCallExpression(one) && ts.isIdentifier(one.expression)),
    )
  )
    return false;
  return namesIn(node).every((name) => {
    const declared = declarationOf(name);
    if (!declared || ts.isParameter(declared)) return true;
    const around = declared.parent.parent;
    if (ts.isForOfStatement(around)) return isGiven(around.expression);
    if (isInFile(name)) return true;
    if (!isConst(declared) || !declared.initializer) return false;
    const value = bare(declared.initializer);
    return isGiven(ts.isConditionalExpression(value) ? value.condition : value);
  });
}
