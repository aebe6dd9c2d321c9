/** One instruction of a Dockerfile, such as `{ name: 'RUN', text: 'npm ci' }`. */
interface Instruction {
  name: string;
  text: string;
}

export interface Stage {
  /** What it starts from: an image, or `scratch`. */
  from: string;
  /** What other stages call it; empty for the last one. */
  name: string;
  instructions: Instruction[];
}

/**
 * Parses the few parts of the format that this project's Dockerfile uses: stages, comments, and continued lines.
 * @throws Error for a line that's none of these
 */
export function parseDockerfile(text: string): Stage[] {
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: Stage[] = [];
  for (const line of lines) {
    const [, name = '', rest = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    if (name === 'FROM') {
      const [from = '', , as = ''] = rest.split(' ');
      stages.push({ from, name: as, instructions: [] });
    } else {
      const stage = stages.at(-1);
      if (!name || !stage)
        throw new Error(`The Dockerfile has a line that nothing here understands: ${line}`);
      stage.instructions.push({ name, text: rest });
    }
  }
  return stages;
}

/** How a container of the last stage starts. */
export interface ImageSettings {
  env: Record<string, string>;
  user: string;
  workdir: string;
  entrypoint: string[];
  command: string[];
  healthcheck: string[];
}

/** Returns what a stage says about how its containers start. */
export function imageSettings({ instructions }: Stage): ImageSettings {
  const all = (name: string) => instructions.filter((it) => it.name === name).map(({ text }) => text);
  const list = (name: string): string[] => JSON.parse(/\[.*\]$/.exec(all(name).at(-1) ?? '[]')?.[0] ?? '[]');
  return {
    env: Object.fromEntries(all('ENV').flatMap(parseVariables)),
    user: all('USER').at(-1) ?? '0:0',
    workdir: all('WORKDIR').at(-1) ?? '/',
    entrypoint: list('ENTRYPOINT'),
    command: list('CMD'),
    healthcheck: list('HEALTHCHECK'),
  };
}

function parseVariables(text: string): [string, string][] {
  return text.split(' ').map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return [name, value.join('=')];
  });
}
