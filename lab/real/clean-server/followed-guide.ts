import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Block, fillIn, readBlocks } from '../guide-blocks';
import type { Authority } from './internet';
import type { Machine } from './machine';
import type { Shell } from './shell';
import { SITE, STORAGE } from './site';

/** A guide that's being followed on a server, in one shell. */
export interface FollowedGuide {
  shell(): Shell;
  /** Opens another shell, as after a restart. */
  reopen(): void;
  /** Runs everything under a heading, or its blocks from one to another. @returns what it prints */
  follow(heading: string, from?: number, to?: number): Promise<string>;
  /** The blocks under a heading. */
  blocks(heading: string): Block[];
  /** The blocks that haven't been run. */
  left(): string[];
  /** What each heading took, in seconds. */
  seconds: Record<string, number>;
}

/** Begins to follow a document. @param values what a person puts in where it says so */
export function openGuide(path: string, machine: Machine, values: Record<string, string>): FollowedGuide {
  const all = readBlocks(path);
  const run = new Set<Block>();
  const seconds: Record<string, number> = {};
  let shell = machine.shell();
  const blocks = (heading: string) => all.filter((block) => block.heading === heading);
  return {
    shell: () => shell,
    reopen() {
      shell.close();
      shell = machine.shell();
    },
    blocks,
    seconds,
    left: () => all.filter((block) => !run.has(block)).map((block) => `${block.heading}:\n${block.text}`),
    async follow(heading, from = 0, to) {
      const chosen = blocks(heading).slice(from, to);
      if (chosen.length === 0) throw new Error(`${path} has no commands under “${heading}”.`);
      const began = performance.now();
      let output = '';
      for (const block of chosen) {
        output += await shell.run(block.isYours ? fillIn(block.text, values) : block.text);
        run.add(block);
      }
      seconds[heading] = (seconds[heading] ?? 0) + (performance.now() - began) / 1000;
      return output;
    },
  };
}

/** What a person puts in where the guide to one server says so. */
export const VALUES = {
  site: SITE,
  storage: STORAGE,
  repository: '/mnt/daylight.git',
  operator: 'operator@example.com',
  // The stand-in's certificate is nobody's.
  mail: 'smtp://smtp.example.com:587?ignoreTLS=true',
};

/**
 * Has Caddy sign its certificates with the lab's, in place of getting public ones. Nothing else in its file is touched.
 */
export async function useLabCertificates(machine: Machine, { cert, key }: Authority): Promise<void> {
  for (const [from, name] of [
    [cert, 'authority.crt'],
    [key, 'authority.key'],
  ] as const) {
    copyFileSync(from, join(machine.root, 'etc/caddy', name));
  }
  const root = 'root {\\n cert /etc/caddy/authority.crt\\n key /etc/caddy/authority.key\\n }';
  const options = `local_certs\\nskip_install_trust\\npki {\\n ca local {\\n ${root}\\n }\\n }`;
  await machine.run(
    `chown caddy: /etc/caddy/authority.*; sed -i '1a ${options}' /etc/caddy/Caddyfile; systemctl reload caddy`,
  );
}
