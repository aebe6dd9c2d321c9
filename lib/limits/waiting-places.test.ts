import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { createLoadShedder } from './load-shedding';

afterEach(() => vi.restoreAllMocks());

/** Sends requests that are never answered, until the returned function lets their clients leave. */
function createArrivals() {
  const takeOn = createLoadShedder();
  const responses: ServerResponse[] = [];
  const outcome = { started: 0, refusals: [] as string[] };
  const refuse = (refusal: string) => outcome.refusals.push(refusal);
  return {
    outcome,
    send(account: string, network = account) {
      const request = new IncomingMessage(new Socket());
      const response = new ServerResponse(request);
      responses.push(response);
      const sender = { account, network, isChange: false };
      const start = () => {
        outcome.started += 1;
      };
      takeOn({ request, response, sender, start, refuse, refuseBody: refuse });
    },
    waiting: () => responses.length - outcome.started - outcome.refusals.length,
    leave: () => {
      for (const response of responses) response.emit('close');
    },
  };
}

it('works on eight requests of one account, and lets it wait in a quarter of the free places', () => {
  const { outcome, send, waiting, leave } = createArrivals();
  for (let n = 0; n < 8; n += 1) send('ada');
  expect([outcome.started, waiting()]).toEqual([8, 0]);
  // With 410 waiting, a quarter of the other 1,638 places is less.
  for (let n = 0; n < 410; n += 1) send('ada');
  expect([outcome.started, waiting(), outcome.refusals]).toEqual([8, 410, []]);
  send('ada');
  expect([waiting(), outcome.refusals]).toEqual([410, ['rate_limited']]);
  leave();
});

it('lets 2,048 requests wait, of whomever, and refuses the next one', () => {
  const { outcome, send, waiting, leave } = createArrivals();
  for (let n = 0; outcome.refusals.length === 0 && n < 3000; n += 1) send(`account ${n}`);
  expect([waiting(), outcome.refusals]).toEqual([2048, ['unavailable']]);
  leave();
});

it('works on three quarters of all requests for one network, however many accounts it has', () => {
  // On a slow machine, this test would be work enough to count as saturation, where fewer requests are worked on.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  const { outcome, send, waiting, leave } = createArrivals();
  for (let n = 0; n < 13 * 8; n += 1) send(`account ${n % 13}`, 'office');
  expect([outcome.started, waiting()]).toEqual([96, 8]);
  send('ada');
  expect([outcome.started, waiting(), outcome.refusals]).toEqual([97, 8, []]);
  leave();
});
