import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A shell that keeps variables from one block of commands to the next, as a person's does. */
export interface Shell {
  /** @returns what the block prints. @throws Error with that, if a command fails */
  run(block: string): Promise<string>;
  close(): void;
}

/** Opens a shell. @param root the root folder that it's in, which gets a log of everything next to it */
export function openShell([command, args]: [string, string[]], root: string): Shell {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  let changed = () => {};
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      appendFileSync(`${root}.log`, chunk);
      changed();
    });
  }
  let hasEnded = false;
  child.once('close', () => {
    hasEnded = true;
    changed();
  });
  child.stdin.write('set -e\n');
  return {
    async run(block) {
      const mark = `end of ${randomBytes(8).toString('hex')}`;
      writeFileSync(join(root, 'root/block.sh'), block);
      appendFileSync(`${root}.log`, `\n$ ${block}`);
      output = '';
      child.stdin.write(`source /root/block.sh < /dev/null\necho; echo '${mark}'\n`);
      while (!output.includes(mark)) {
        if (hasEnded) throw new Error(`The block failed:\n${block}\n${output.slice(-4000)}`);
        await new Promise<void>((resolve) => {
          changed = resolve;
        });
      }
      return output.slice(0, output.indexOf(mark));
    },
    close: () => child.stdin.end(),
  };
}
