import ts from 'typescript';
import { type Change, conditionKind } from './mutant';
import { sqlChanges, swapBound } from './sql-mutators';

/** The name by which a mutated file knows Drizzle's functions, whichever it imports itself. */
const DRIZZLE = 'mutatedDrizzle';

/** What a mutated file begins with. On the line of its first statement, so that lines stay as they were. */
export const PRELUDE = `import * as ${DRIZZLE} from 'drizzle-orm'; `;

/** Drizzle's functions, each with the one that would be the fault. */
const DRIZZLE_SWAPS: Readonly<Record<string, readonly [kind: Change['kind'], name: string]>> = {
  lt: ['comparison', 'lte'],
  lte: ['comparison', 'lt'],
  gt: ['comparison', 'gte'],
  gte: ['comparison', 'gt'],
  isNull: ['comparison', 'isNotNull'],
  isNotNull: ['comparison', 'isNull'],
  asc: ['order', 'desc'],
  desc: ['order', 'asc'],
};

/** Calls that only tell or measure. */
const TELLS =
  /^(await )?(void )?(log|logger|console|span|controller|signal|timer|process\.std|res(ponse)?\.(end|write)|clearTimeout|clearInterval)\b|\b(log|logger)\.|^(await )?(record|count|observe|measure|trace|report|note|warn)[A-Z]?\w*\(|unref\(\)$/;

/** A statement that only tells, whatever its arguments decide. */
const TELLS_ONLY = /^(log|logger|console|span)\./;

/** A comparison with the clock, whose bound is an instant that no test can hit. */
const HAS_CLOCK = /\bnow\(|\bnow\b|Date\(\)|deadline/i;

const SQL_TAGS = /^(sql|tx|admin|lock|client|db\(\)\.\$client|connection)(<|$)/;

const COMPARISONS = [
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.LessThanEqualsToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.GreaterThanEqualsToken,
];

/** Finds the faults that a node can have by itself, without what's in it. */
function changesOf(node: ts.Node, source: ts.SourceFile): Change[] {
  const start = (of: ts.Node) => of.getStart(source);
  const text = (of: ts.Node) => of.getText(source);
  const replace = (kind: Change['kind'], of: ts.Node, replacement: string): Change => ({
    ...{ kind, replacement },
    ...{ start: start(of), end: of.end },
  });
  const removeFrom = (kind: Change['kind'], object: ts.Node, call: ts.Node): Change => ({
    ...{ kind, replacement: '' },
    ...{ start: object.end, end: call.end },
  });

  if (ts.isIfStatement(node)) {
    const [first] = ts.isBlock(node.thenStatement)
      ? node.thenStatement.statements.slice(-1)
      : [node.thenStatement];
    const ends =
      first && (ts.isReturnStatement(first) || ts.isThrowStatement(first) || ts.isContinueStatement(first));
    const never = replace(ends ? 'guard' : 'branch', node.expression, 'false');
    return ends ? [never] : [never, replace('branch', node.expression, 'true')];
  }
  if (ts.isConditionalExpression(node))
    return ['true', 'false'].map((value) => replace('branch', node.condition, value));
  if (ts.isBinaryExpression(node)) {
    const { left, right, operatorToken } = node;
    const { kind } = operatorToken;
    if (COMPARISONS.includes(kind) && HAS_CLOCK.test(text(node))) return [];
    if (COMPARISONS.includes(kind))
      return [replace('comparison', operatorToken, swapBound(text(operatorToken)))];
    if (kind === ts.SyntaxKind.AmpersandAmpersandToken || kind === ts.SyntaxKind.BarBarToken)
      return [
        replace(conditionKind(text(right)), node, text(left)),
        replace(conditionKind(text(left)), node, text(right)),
      ];
    const isSum = kind === ts.SyntaxKind.PlusToken || kind === ts.SyntaxKind.MinusToken;
    return isSum && text(right) === '1' ? [replace('bound', node, text(left))] : [];
  }
  if (ts.isExpressionStatement(node)) {
    const called = ts.isAwaitExpression(node.expression) ? node.expression.expression : node.expression;
    if (!ts.isCallExpression(called) || TELLS.test(text(node.expression))) return [];
    return [replace(/^lock/.test(text(called)) ? 'lock' : 'call', node, ';')];
  }
  if (ts.isTaggedTemplateExpression(node) && SQL_TAGS.test(text(node.tag))) {
    const { template } = node;
    const offset = start(template) + 1;
    const spans = ts.isTemplateExpression(template) ? template.templateSpans : [];
    // From `${` to the `}` that starts the literal after it.
    const values = spans.map(({ expression, literal }) => ({
      start: expression.getFullStart() - 2 - offset,
      end: start(literal) + 1 - offset,
    }));
    return sqlChanges(source.text.slice(offset, template.end - 1), values).map((change) => ({
      ...change,
      start: change.start + offset,
      end: change.end + offset,
    }));
  }
  if (!ts.isCallExpression(node)) return [];

  const { expression: callee, arguments: args } = node;
  const [first] = args;
  if (ts.isIdentifier(callee)) {
    const swap = DRIZZLE_SWAPS[callee.text];
    if (swap && /^[lg]te?$/.test(callee.text) && HAS_CLOCK.test(text(node))) return [];
    if (swap) return [replace(swap[0], callee, `${DRIZZLE}.${swap[1]}`)];
    if ((callee.text === 'and' || callee.text === 'or') && args.length > 1)
      return args
        .filter((arg) => !ts.isSpreadElement(arg))
        .map((arg) => replace(conditionKind(text(arg)), arg, 'undefined'));
    return [];
  }
  if (!ts.isPropertyAccessExpression(callee)) return [];
  const { expression: object, name } = callee;
  switch (name.text) {
    case 'for':
      return first && ts.isStringLiteral(first) && /^(no key )?(update|share|key share)$/.test(first.text)
        ? [removeFrom('lock', object, node)]
        : [];
    case 'onConflictDoNothing':
      return [removeFrom('lock', object, node)];
    case 'where':
      return first ? [replace(conditionKind(text(first)), first, 'undefined')] : [];
    case 'filter':
      return [removeFrom('condition', object, node)];
    case 'some':
      return [replace('condition', name, 'every')];
    case 'every':
      return [replace('condition', name, 'some')];
    case 'sort':
    case 'toSorted':
    case 'orderBy':
      return [removeFrom('order', object, node)];
    case 'slice':
      return [removeFrom('bound', object, node)];
    case 'limit':
    case 'offset':
      return first && /^[\d_]+$|^[A-Z_]+$|[+*-]/.test(text(first))
        ? [replace('bound', first, `(${text(first)}) + 1`)]
        : [];
    case 'min':
    case 'max':
      if (text(object) === 'Math') return [replace('bound', name, name.text === 'min' ? 'max' : 'min')];
      return first && args.length < 3 && /^[\d_.]+$|^[A-Z_.]+$/.test(text(first))
        ? [replace('bound', first, `(${text(first)}) ${name.text === 'min' ? '-' : '+'} 1`)]
        : [];
    case 'set': {
      const properties = first && ts.isObjectLiteralExpression(first) ? first.properties : [];
      if (properties.length < 2) return [];
      return properties
        .filter((property) => !ts.isSpreadAssignment(property))
        .map((property) => replace('write', property, '...{}'));
    }
    default:
      return [];
  }
}

/** Finds the faults that a file can have. They may overlap. */
export function codeChanges(source: ts.SourceFile): Change[] {
  const found: Change[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isExpressionStatement(node) && TELLS_ONLY.test(node.getText(source))) return;
    found.push(...changesOf(node, source));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
