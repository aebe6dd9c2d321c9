import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Rule {
  suffix: string;
  work: () => Promise<unknown>;
  /** Told to the app in place of storage's answer. */
  answer?: number;
  once: boolean;
}

interface Refusal {
  pattern: RegExp;
  status: number;
  body: string;
}

/** Stands between the app and storage, so that a test can act at the moment an object is uploaded. */
export async function startStorageProxy(target: string) {
  const rules: Rule[] = [];
  const refusals: Refusal[] = [];
  const requests: string[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const { pathname } = new URL(incoming.url ?? '/', target);
    const asked = `${incoming.method} ${pathname}`;
    requests.push(asked);
    const refusal = refusals.find(({ pattern }) => pattern.test(asked));
    if (refusal) {
      incoming.resume().once('end', () => outgoing.writeHead(refusal.status).end(refusal.body));
      return;
    }
    const meant = rules.filter(({ suffix }) => incoming.method === 'PUT' && pathname.endsWith(suffix));
    const status = meant.find(({ answer }) => answer)?.answer;
    for (const rule of meant) {
      if (rule.once) rules.splice(rules.indexOf(rule), 1);
      await rule.work();
    }
    const { hostname, port } = new URL(target);
    const { method, url: path, headers } = incoming;
    const onward = send({ hostname, port, method, path, headers }, (answer) => {
      outgoing.writeHead(status ?? answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Does something once, right before storage receives the next object whose key ends like this. */
    beforeUpload(suffix: string, work: () => Promise<unknown>) {
      rules.push({ suffix, work, once: true });
    },
    /** Answers every upload of such a key with 503, after storage has taken it, until the returned function is called. */
    failUploads(suffix: string) {
      const rule: Rule = { suffix, work: async () => {}, answer: 503, once: false };
      rules.push(rule);
      return () => void rules.splice(rules.indexOf(rule), 1);
    },
    /** Every request so far, as `PUT /bucket/key`. */
    requests,
    /**
     * Answers requests like this in storage's place, until the returned function is called.
     * @param pattern of a method and path, as `PUT /bucket/key`
     */
    refuse(pattern: RegExp, status: number, body = '') {
      const refusal = { pattern, status, body };
      refusals.push(refusal);
      return () => void refusals.splice(refusals.indexOf(refusal), 1);
    },
    close() {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
