import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { reportEventRun } from '@/lib/video/processing/process-reports';

/**
 * Answers like Inngest's server, and as wrongly as a test asks. Lets no worker connect. Runs nothing but health's own
 * events, as far as they're run.
 */
export async function startJobService() {
  const service = {
    url: '',
    /** What it answers to events, and to questions about apps. */
    status: { events: 200, apps: 200 },
    /** The app whose functions it knows. */
    app: 'daylight',
    /** The names of the events that arrived. */
    events: [] as string[],
    /** Whether a run records itself for each event of health's own. */
    runsPings: false,
    /** The paths that were asked. */
    paths: [] as string[],
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    service.paths.push(path);
    const isEvent = path.startsWith('/e/');
    const body = isEvent ? await json(request).catch(() => []) : undefined;
    for (const { name, data } of [body ?? []].flat() as { name: string; data: { settings: string } }[]) {
      service.events.push(name);
      if (service.runsPings && name === 'health/ping') await reportEventRun(data.settings);
    }
    if (path.startsWith('/v0/')) {
      response.writeHead(503).end();
      return;
    }
    const status = isEvent ? service.status.events : service.status.apps;
    const functions = path === `/v1/apps/${service.app}/functions` ? [{ slug: 'sweep' }] : [];
    const answer = isEvent ? { ids: [''], status } : functions;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return service;
}
