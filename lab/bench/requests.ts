import { Agent, get } from 'node:http';

/** As many requests are under way at once. */
const CONNECTIONS = 8;

export interface RequestTarget {
  url: string;
  cookie?: string;
  /** The address that a proxy would report, of which the app trusts one. */
  client?: string;
}

/** Returns the address of one of the site's pages. It knows itself as `localhost`. */
export function refererOf(url: string): string {
  const page = new URL('/', url);
  page.hostname = 'localhost';
  return page.href;
}

/** Asks once and reads the whole answer. @throws Error unless it is 200 */
export function fetchText({ url, cookie }: RequestTarget, agent?: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    // A GET that changes something is refused unless one of our own pages asks.
    const headers = { referer: refererOf(url), ...(cookie ? { cookie } : {}) };
    const request = get(url, { agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.once('error', reject);
      response.once('end', () => {
        if (response.statusCode === 200) resolve(text);
        else
          reject(new Error(`${new URL(url).pathname} answers ${response.statusCode}: ${text.slice(0, 300)}`));
      });
    });
    request.once('error', reject);
  });
}

/** Does the same `count` times, a few at once, and waits for the last. */
export async function runConcurrently(
  count: number,
  work: (connections: Agent) => Promise<unknown>,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let left = count;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await work(agent);
    }
  };
  try {
    await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  } finally {
    agent.destroy();
  }
}
