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
  /** How many more requests to answer. */
  times: number;
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
    const refusal = refusals.find(({ pattern, times }) => times > 0 && pattern.test(asked));
    if (refusal) {
      refusal.times -= 1;
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
    /**
     * Answers every upload of such a key with an error, after storage has taken it, until the returned function is
     * called: by default, storage is away.
     */
    failUploads(suffix: string, answer = 503) {
      let failed = 0;
      const work = async () => {
        failed += 1;
      };
      const rule: Rule = { suffix, work, answer, once: false };
      rules.push(rule);
      const repair = () => void rules.splice(rules.indexOf(rule), 1);
      return Object.assign(repair, { count: () => failed });
    },
    /** Every request so far, as `PUT /bucket/key`. */
    requests,
    /**
     * Answers requests like this in storage's place, until the returned function is called or it has answered `times`.
     * @param pattern of a method and path, as `PUT /bucket/key`
     */
    refuse(pattern: RegExp, status: number, body = '', times = Number.POSITIVE_INFINITY) {
      const refusal = { pattern, status, body, times };
      refusals.push(refusal);
      return () => void refusals.splice(refusals.indexOf(refusal), 1);
    },
    close() {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
