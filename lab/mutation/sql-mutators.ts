import { type Change, conditionKind } from './mutant';

/** What ends a condition at its own depth of parentheses. */
const BOUNDARY =
  /\b(and|or|where|having|on|group by|order by|limit|offset|for (?:no key )?(?:update|key share|share)|returning|union|then|else|when|end|(?<!distinct )from|left join|join|set|as|window|filter|do)\b|[(),;]/gi;

/** Stands for what isn't SQL. A word to the patterns below. */
const BLANK = '¤';

/** Returns the text with whatever isn't SQL of its own (values, strings, comments) blanked, at the same offsets. */
function maskSql(text: string, values: readonly { start: number; end: number }[]): string {
  const masked = [...text];
  for (const { start, end } of values) masked.fill(BLANK, start, end);
  return masked.join('').replace(/'[^']*'|"[^"]*"|--[^\n]*/g, (found) => BLANK.repeat(found.length));
}

interface Condition {
  start: number;
  end: number;
  /** What a row that always or never meets it has instead. */
  neutral: 'true' | 'false';
}

/** Finds the operands of `and` and `or` in a condition, by the words around them. */
function findConditions(sql: string): Condition[] {
  const found: Condition[] = [];
  const open: { start: number; before: string }[] = [{ start: 0, before: '' }];
  const close = (end: number, after: string) => {
    const operand = open.at(-1);
    if (!operand) return;
    const { start, before } = operand;
    const text = sql.slice(start, end);
    const joins = [before, after].filter((word) => word === 'and' || word === 'or');
    const [join] = joins;
    const isCondition = join ? true : before === 'where' || before === 'having';
    // `between 1 and 2` has an `and` of its own.
    if (
      isCondition &&
      text.trim() &&
      !/\bbetween\b/i.test(text) &&
      !/\bbetween\b/i.test(sql.slice(start - 60, start))
    ) {
      const lead = text.length - text.trimStart().length;
      const neutral = join === 'or' ? 'false' : 'true';
      found.push({ start: start + lead, end: start + text.trimEnd().length, neutral });
    }
  };
  for (const { 0: word, index } of sql.matchAll(BOUNDARY)) {
    const lower = word.toLowerCase();
    if (lower === '(') {
      open.push({ start: index + 1, before: '' });
    } else if (lower === ')') {
      close(index, '');
      if (open.length > 1) open.pop();
    } else {
      close(index, lower);
      open[open.length - 1] = { start: index + word.length, before: lower };
    }
  }
  if (open.length === 1) close(sql.length, '');
  return found;
}

const SWAPS: readonly { kind: Change['kind']; pattern: RegExp; swap(found: string): string }[] = [
  {
    kind: 'lock',
    pattern: /\s+for (?:no key )?(?:update|key share|share)(?: of [\w.¤]+)?(?: skip locked)?\b/gi,
    swap: () => '',
  },
  { kind: 'lock', pattern: /\s+skip locked\b/gi, swap: () => '' },
  { kind: 'lock', pattern: /\bpg_advisory_(?:xact_)?lock(?:_shared)?(?=\()/gi, swap: () => '' },
  { kind: 'lock', pattern: /\s+on conflict(?: \([^)]*\))? do nothing\b/gi, swap: () => '' },
  // Not with the clock, whose bound is an instant that no test can hit.
  {
    kind: 'comparison',
    pattern: /(?<=\s)(?<!now\(\)[^<>]{0,80})(?:<=|>=|<|>)(?=\s)(?![^<>]{0,80}now\(\))/g,
    swap: swapBound,
  },
  { kind: 'comparison', pattern: /\bis not null\b/gi, swap: () => 'is null' },
  { kind: 'comparison', pattern: /\bis null\b/gi, swap: () => 'is not null' },
  { kind: 'condition', pattern: /\bnot exists\b/gi, swap: () => 'exists' },
  { kind: 'order', pattern: /\s+desc\b/gi, swap: () => ' asc' },
  { kind: 'bound', pattern: /(?<=\blimit )[\w.¤]+/gi, swap: (found) => `${found} + 1` },
  { kind: 'bound', pattern: /\bleast(?=\()/gi, swap: () => 'greatest' },
  { kind: 'bound', pattern: /\bgreatest(?=\()/gi, swap: () => 'least' },
];

/** Returns the comparison that differs in whether it includes the bound. */
export function swapBound(operator: string): string {
  return operator.endsWith('=') ? operator.slice(0, -1) : `${operator}=`;
}

/**
 * Finds the faults that a piece of SQL can have.
 * @param text the SQL, between its backticks
 * @param values where the text has values in braces
 */
export function sqlChanges(text: string, values: readonly { start: number; end: number }[]): Change[] {
  const sql = maskSql(text, values);
  const swaps = SWAPS.flatMap(({ kind, pattern, swap }) =>
    [...sql.matchAll(pattern)].map(({ 0: found, index }) => {
      const end = index + found.length;
      return { kind, start: index, end, replacement: swap(text.slice(index, end)) };
    }),
  );
  const conditions = findConditions(sql).map(({ start, end, neutral }) => {
    const original = text.slice(start, end);
    return { kind: conditionKind(original), start, end, replacement: neutral };
  });
  return [...swaps, ...conditions];
}
