import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetObjectCommand, ListPartsCommand, S3Client } from '@aws-sdk/client-s3';
import postgres from 'postgres';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase } from '@/test/database';
import { MIGRATIONS, openStore } from '../inngest/store';
import { startS3 } from '../s3/server';
import { startStripe } from '../stripe/server';
import { createStripeSdk } from '../stripe/test-server';

// This version has to read what earlier versions wrote.
let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'daylight-older-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const write = (path: string, value: unknown) => {
  mkdirSync(join(dir, path, '..'), { recursive: true });
  writeFileSync(join(dir, path), typeof value === 'string' ? value : JSON.stringify(value));
};

test('storage keeps objects and uploads that have metadata and checksums', async () => {
  const blob = { name: '6f1d', size: 5 };
  const checksum = { algorithm: 'crc32', value: 'NhCmhg==', type: 'FULL_OBJECT' };
  const common = { key: 'a', headers: { 'content-type': 'video/mp4' }, metadata: { entry: '1' }, checksum };
  const modified = '2026-01-01T00:00:00.000Z';
  write('buckets/daylight/blobs/6f1d', 'hello');
  write('buckets/daylight/objects/any.json', { ...common, size: 5, etag: 'e', modified, blobs: [blob] });
  write('buckets/daylight/uploads/u1/upload.json', { ...common, id: 'u1', initiated: modified });
  const keys = { region: 'us-east-1', accessKeyId: 'AKIDTEST', secretAccessKey: 'secret' };
  const server = await startS3({ dir, bucket: 'daylight', ...keys });
  const client = new S3Client({
    endpoint: server.url,
    region: keys.region,
    forcePathStyle: true,
    credentials: keys,
  });
  const got = await client.send(new GetObjectCommand({ Bucket: 'daylight', Key: 'a' }));
  expect(await got.Body?.transformToString()).toBe('hello');
  await client.send(new ListPartsCommand({ Bucket: 'daylight', Key: 'a', UploadId: 'u1' }));
  client.destroy();
  await server.close();
});

test('Stripe still uses the file till.json', async () => {
  const customer = {
    id: 'cus_1',
    email: 'a@example.com',
    name: null,
    metadata: {},
    created: 1,
    deleted: false,
  };
  const price = { id: 'price_1', product: 'prod_1', lookupKey: 'daylight_basic', amount: 500, active: true };
  const tables = ['products', 'subscriptions', 'schedules', 'invoices', 'charges', 'disputes', 'refunds'];
  const others = ['checkouts', 'portals', 'configurations', 'events', 'idempotency'];
  write('till.json', {
    ...Object.fromEntries([...tables, ...others].map((name) => [name, {}])),
    customers: { cus_1: { ...customer, card: { number: '4242424242424242', last4: '4242' } } },
    prices: { price_1: { ...price, created: 1 } },
    ahead: 0,
  });
  const secrets = { secretKey: 'sk_test_of_the_tests', webhookSecret: 'whsec_of_the_tests' };
  const server = await startStripe({ dir, ...secrets, webhookUrl: () => 'http://127.0.0.1:9/' });
  const stripe = createStripeSdk(server);
  expect(await stripe.customers.retrieve('cus_1')).toMatchObject({ email: 'a@example.com' });
  const items = [{ price: 'price_1' }];
  expect(await stripe.subscriptions.create({ customer: 'cus_1', items })).toMatchObject({ status: 'active' });
  await server.close();
});

test('the job runner upgrades an older schema and keeps its queue', async () => {
  const database = await createTestDatabase();
  const sql = postgres(database.url, { max: 1, onnotice: () => undefined });
  await sql.unsafe(`CREATE SCHEMA older; SET search_path TO older; ${MIGRATIONS[0]}
    CREATE TABLE meta (version integer NOT NULL); INSERT INTO meta VALUES (1);
    INSERT INTO runs (id, fn_id, origin, event_name, event, created_at) VALUES ('r', 'f', 'o', 'e', '{}', 0);
    INSERT INTO queue (run_id, fn_id, kind, step_id, step_name, available_at, rank) VALUES
      ('r', 'f', 'step', 's', '', 0, 0), ('r', 'f', 'sleep', 't', '', 0, 0)`);
  const store = await openStore(database.url, 'older');
  expect(await store`SELECT kind FROM queue ORDER BY id`).toMatchObject([
    { kind: 'step' },
    { kind: 'sleep' },
  ]);
  await store.end();
  await sql.end();
  await database.drop();
});
