import ts from 'typescript';
import { PROBE } from './probe';

type Bodied = ts.FunctionLikeDeclaration & { body: ts.ConciseBody };

const isBodied = (node: ts.Node): node is Bodied =>
  ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;

/** Returns what a function is called where it's written. */
function nameOf(node: Bodied, source: ts.SourceFile): string {
  if (node.name) return node.name.getText(source);
  const { parent } = node;
  const isNamed = ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent);
  return isNamed ? parent.name.getText(source) : '';
}

export interface FunctionPlace {
  /** The names from the outermost function to this one, with a number for each of those with the same name. */
  key: string;
  node: Bodied;
}

/** Finds the functions of a file. Their keys stay when lines move. */
export function findFunctions(source: ts.SourceFile): FunctionPlace[] {
  const found: FunctionPlace[] = [];
  const counts = new Map<string, number>();
  const visit = (node: ts.Node, outer: string): void => {
    let key = outer;
    if (isBodied(node)) {
      const path = `${outer}/${nameOf(node, source)}`;
      const count = (counts.get(path) ?? 0) + 1;
      counts.set(path, count);
      key = count > 1 ? `${path}#${count}` : path;
      found.push({ key, node });
    }
    ts.forEachChild(node, (child) => visit(child, key));
  };
  visit(source, '');
  return found;
}

/** Returns the key of the innermost function around a place; empty for what runs when the module loads. */
export function functionAt(functions: readonly FunctionPlace[], start: number): string {
  const around = functions.filter(({ node }) => node.body.pos <= start && start < node.end);
  return around.at(-1)?.key ?? '';
}

/** Returns a file's text in which each function first says that it runs. Lines stay as they were. */
export function addProbes(file: string, source: ts.SourceFile): string {
  const inserts: [at: number, text: string][] = [[0, `globalThis.${PROBE}?.(${JSON.stringify(file)}, '');`]];
  for (const { key, node } of findFunctions(source)) {
    const call = `globalThis.${PROBE}?.(${JSON.stringify(file)}, ${JSON.stringify(key)})`;
    if (ts.isBlock(node.body)) inserts.push([node.body.getStart(source) + 1, `${call};`]);
    else inserts.push([node.body.getStart(source), `(${call}, `], [node.body.end, ')']);
  }
  // Of two at the same place, the outer function's is found first, and has to stand first when it opens.
  return inserts
    .toSorted(([a], [b]) => b - a)
    .reduce((text, [at, insert]) => text.slice(0, at) + insert + text.slice(at), source.text);
}
