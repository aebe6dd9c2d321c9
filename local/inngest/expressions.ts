/** One side of an equation: a path in the first event, a path in the later (`async`) event, or a constant. */
type Operand = { from: 'event' | 'async'; path: string[] } | { from: 'constant'; value: unknown };

/** An equation between two operands, which is the supported part of CEL. */
export type Equation = { left: Operand; right: Operand };

const PATH = /^(event|async)((?:\.[A-Za-z_]\w*)+)$/;

/** Reads `event.data.x`. @returns undefined for any other expression. */
export function parsePath(text: string): string[] | undefined {
  const match = PATH.exec(text.trim());
  return match?.[1] === 'event' ? match[2]?.slice(1).split('.') : undefined;
}

function parseOperand(text: string): Operand | undefined {
  const match = PATH.exec(text);
  if (match?.[2]) return { from: match[1] as 'event' | 'async', path: match[2].slice(1).split('.') };
  const quoted = /^(?:'([^'\\]*)'|"([^"\\]*)")$/.exec(text);
  if (quoted) return { from: 'constant', value: quoted[1] ?? quoted[2] };
  return undefined;
}

/** Reads `event.data.x == async.data.x` or `event.data.x == 'y'`. @returns undefined for any other expression. */
export function parseEquation(text: string): Equation | undefined {
  const sides = /^\s*('[^']*'|"[^"]*"|[^\s='"]+)\s*==\s*('[^']*'|"[^"]*"|[^\s='"]+)\s*$/.exec(text);
  const left = parseOperand(sides?.[1] ?? '');
  const right = parseOperand(sides?.[2] ?? '');
  return left && right ? { left, right } : undefined;
}

/** Returns the value at a path, or undefined. Only reads own properties. */
export function valueAt(subject: unknown, path: string[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<string, unknown>)[key]
        : undefined,
    subject,
  );
}

/** Returns whether the equation holds. A missing value never equals anything. */
export function matches(equation: Equation, event: unknown, later?: unknown): boolean {
  const read = (operand: Operand) => {
    if (operand.from === 'constant') return operand.value;
    return valueAt(operand.from === 'event' ? event : later, operand.path);
  };
  const left = read(equation.left);
  return left !== undefined && JSON.stringify(left) === JSON.stringify(read(equation.right));
}
