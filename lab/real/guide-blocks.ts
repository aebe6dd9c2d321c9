import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '@/local/up/data-dir';

/** Commands of a document, as a person copies them. */
export interface Block {
  /** The heading that it's under, without its number. */
  heading: string;
  text: string;
  /** Whether a person puts in values of their own: it stands under `<!-- yours -->`. */
  isYours: boolean;
}

/** Returns the blocks of commands of a document, in order. Those in lists lose their indentation. */
export function readBlocks(path: string): Block[] {
  const document = readFileSync(join(projectRoot, path), 'utf8');
  return document.split(/^#{2,} /m).flatMap((section) => {
    const heading = section.slice(0, section.indexOf('\n')).replace(/^\d+\. /, '');
    return [...section.matchAll(/^(<!-- yours -->\n)?( *)```sh\n([\s\S]*?)^ *```$/gm)].map(
      ([, mark, indentation = '', text = '']) => ({
        heading,
        text: text.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''),
        isYours: mark !== undefined,
      }),
    );
  });
}

/**
 * Puts values in place of a block's own.
 * @throws Error for a variable that isn't there, or one of the block's that gets no value
 */
export function fillIn(block: string, values: Record<string, string>): string {
  const names = [...block.matchAll(/^(\w+)=/gm)].map(([, name = '']) => name);
  const unknown = Object.keys(values).filter((name) => !names.includes(name));
  const missing = names.filter((name) => values[name] === undefined);
  if (unknown.length + missing.length > 0) {
    throw new Error(`Values without a variable: ${unknown}; variables without a value: ${missing}.`);
  }
  return block.replaceAll(/^(\w+)=.*$/gm, (_, name: string) => `${name}='${values[name]}'`);
}
