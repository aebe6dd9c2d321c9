import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Held {
  suffix: string;
  work: () => Promise<unknown>;
  answer: number | undefined;
}

/** Stands between the app and storage, so that a test can act, or refuse, at the moment an object is uploaded. */
export async function startStorageProxy(target: string) {
  const held: Held[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const { pathname } = new URL(incoming.url ?? '/', target);
    const at = held.findIndex(({ suffix }) => incoming.method === 'PUT' && pathname.endsWith(suffix));
    const found = held[at];
    if (found) {
      if (found.answer === undefined) held.splice(at, 1);
      await found.work();
    }
    if (found?.answer !== undefined) {
      incoming.resume();
      outgoing.writeHead(found.answer).end();
      return;
    }
    const { hostname, port } = new URL(target);
    const { method, url: path, headers } = incoming;
    const onward = send({ hostname, port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
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
      held.push({ suffix, work, answer: undefined });
    },
    /** Answers every upload of such a key with this status, until the returned function is called. */
    refuseUploads(suffix: string, answer: number, work: () => Promise<unknown> = async () => {}) {
      const refusal: Held = { suffix, work, answer };
      held.push(refusal);
      return () => void held.splice(held.indexOf(refusal), 1);
    },
    close() {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
