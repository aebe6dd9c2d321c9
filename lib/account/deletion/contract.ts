import { z } from 'zod';
import { stepUp } from '@/lib/account/security/contract';
import { PLAN_TYPES } from '@/lib/billing/plans/shared/limits';
import { done } from '@/lib/foundation/contract/fields';
import { operation } from '@/lib/foundation/contract/operation';

const count = (example: number) => z.int().meta({ example });

const contents = z
  .object({
    entries: count(214).meta({ description: 'Including those in the trash.' }),
    entriesInTrash: count(3),
    bytes: count(31_200_000_000).meta({ description: 'Of video, in bytes.' }),
    seconds: count(90_000).meta({ description: 'Of video, in seconds.' }),
    transcripts: count(209),
    revisions: count(260).meta({ description: 'Of transcripts, including the originals.' }),
    notes: count(87),
    tags: count(12),
    hiddenMemories: count(2),
    vocabulary: count(40).meta({ description: 'Words learned from corrections.' }),
  })
  .meta({ id: 'AccountContents', description: 'What deleting the account deletes.' });
export type AccountContents = z.infer<typeof contents>;

const deletion = z
  .object({
    requestedAt: z.iso.datetime(),
    erasesAt: z.iso.datetime().meta({ description: 'When the account is deleted, unless it’s kept.' }),
  })
  .meta({ id: 'AccountDeletion' });

export const getDeletion = operation({
  method: 'GET',
  path: '/account_deletion',
  summary: 'Get the account’s deletion',
  description:
    'Tells what deleting the account deletes, which subscription that ends, and whether it has been requested.',
  access: 'verified',
  response: z.object({
    deletion: deletion.nullable(),
    contents,
    subscription: z.enum(PLAN_TYPES).nullable().meta({ example: 'Basic' }),
  }),
  errors: [],
});

export const requestDeletion = operation({
  method: 'POST',
  path: '/account_deletion',
  cookiesOn: [200],
  summary: 'Request the account’s deletion',
  description:
    'Deletes the account in seven days, unless its owner cancels. Signs out every session, this one included, and emails the owner.',
  access: 'verified',
  body: stepUp,
  response: deletion,
  errors: ['validation_failed', 'rate_limited', 'conflict'],
});

export const cancelDeletion = operation({
  method: 'POST',
  path: '/account_deletion/cancel',
  summary: 'Keep the account',
  description: 'Cancels the account’s deletion, and emails the owner.',
  access: 'verified',
  response: done,
  errors: ['conflict'],
});

export const acknowledgeDeletion = operation({
  method: 'POST',
  path: '/account_deletion/acknowledge',
  summary: 'Decide about the deletion later',
  description: 'Stops this session’s pages from asking whether to keep the account.',
  access: 'verified',
  response: done,
  errors: [],
});

export const listReceiptKeys = operation({
  method: 'GET',
  path: '/deletion_receipt_keys',
  summary: 'List receipt keys',
  description: 'Returns the public keys (JWK, RFC 8037) that verify the receipts of deleted accounts.',
  access: 'public',
  response: z.object({
    keys: z.array(
      z.object({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        alg: z.literal('EdDSA'),
        use: z.literal('sig'),
        kid: z.string().meta({
          description: 'The key’s thumbprint (RFC 7638), which receipts name.',
          example: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
        }),
        x: z
          .string()
          .meta({ description: 'In base64url.', example: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }),
      }),
    ),
  }),
  errors: [],
});
