import { NextRequest } from 'next/server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { id } from '@/lib/foundation/contract/fields';
import { operation } from '@/lib/foundation/contract/operation';
import { useFreshDatabase } from '@/test/app-database';
import { endpoint } from './endpoint';

const GET = endpoint(
  operation({
    method: 'GET',
    path: '/thing/:id',
    summary: '',
    description: '',
    access: 'public',
    params: z.object({ id }),
    response: z.object({ id: z.string() }),
    errors: ['not_found'],
  }),
  ({ params }) => params,
);

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

async function get(thing: string) {
  const request = new NextRequest(`http://localhost:3000/api/v1/thing/${encodeURIComponent(thing)}`);
  const answer = await GET(request, { params: Promise.resolve({ id: thing }) });
  return [answer.status, (await answer.json()).code];
}

it.each(['none', '', '0195f2a0-7c1e-7d3b-9a51-2f6c8e4b1d9', '0195f2a0-7c1e-7d3b-9a51-2f6c8e4b1d90x'])(
  'answers the impossible id %j as one that’s unknown',
  async (impossible) => {
    expect(await get(impossible)).toEqual([404, 'not_found']);
  },
);

it('takes an id', async () => {
  expect(await get(crypto.randomUUID())).toEqual([200, undefined]);
});
