import ts from 'typescript';
import { codeChanges, PRELUDE } from './code-mutators';
import { findFunctions, functionAt } from './functions';
import type { Mutant } from './mutant';
import type { SourceFile } from './scope';

export const parse = (path: string, text: string): ts.SourceFile =>
  ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);

/** Returns the text of a file with the mutant in it. */
export function applyMutant(
  { start, end, replacement }: Pick<Mutant, 'start' | 'end' | 'replacement'>,
  text: string,
): string {
  return PRELUDE + text.slice(0, start) + replacement + text.slice(end);
}

/** Whether a text is TypeScript, whatever its types. */
function isWellFormed(text: string): boolean {
  const { diagnostics = [] } = ts.transpileModule(text, {
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.Latest, module: ts.ModuleKind.ESNext },
  });
  return diagnostics.length === 0;
}

/** Finds the mutants of a file, each once, in the order of their places. */
export function findMutants({ path, text }: SourceFile): Mutant[] {
  const source = parse(path, text);
  const functions = findFunctions(source);
  const seen = new Set<string>();
  return codeChanges(source)
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
    .filter(({ start, end, replacement }) => {
      const key = `${start}:${end}:${replacement}`;
      return !seen.has(key) && seen.add(key);
    })
    .map((change) => ({
      ...change,
      file: path,
      line: source.getLineAndCharacterOfPosition(change.start).line + 1,
      original: text.slice(change.start, change.end),
      within: functionAt(functions, change.start),
    }));
}

/** Keeps the mutants that still parse. Checked for a sample only, as it takes a while. */
export const isRunnable = (mutant: Mutant, text: string): boolean => isWellFormed(applyMutant(mutant, text));
