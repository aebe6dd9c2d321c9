import { z } from 'zod';
import { ERRORS, type ErrorCode } from './errors';

const codes = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** The body of every error. */
export const errorBody = z
  .strictObject({
    message: z.string().meta({ description: 'What happened and what to do, for people.' }),
    code: z.enum(codes).meta({ description: 'What happened, for programs.' }),
    fields: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: 'What’s wrong with each input, for people.' }),
    requestId: z
      .string()
      .optional()
      .meta({ description: 'With `internal` only: finds the error in the site’s log.' }),
  })
  .meta({ id: 'Error', description: 'What every error looks like.' });
