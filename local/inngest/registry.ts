import { Cron } from 'croner';
import { z } from 'zod';
import { type Equation, parseEquation, parsePath } from './expressions';
import { internalEvents } from './protocol';

/** The SDK's default: three retries, so four attempts (`defaultMaxRetries` in its constants). */
const DEFAULT_RETRIES = 3;
type ConcurrencyLimit = { limit: number; key?: string[] };

export type FunctionDefinition = {
  id: string;
  name: string;
  events: { name: string; condition?: Equation }[];
  crons: string[];
  maxAttempts: number;
  concurrency: ConcurrencyLimit[];
  cancelOn: { event: string; condition?: Equation }[];
};

/** The app uses something that the runner doesn't implement. The message names the function and the option. */
export class UnsupportedFunction extends Error {
  override name = 'UnsupportedFunction';
}

const limitSchema = z.strictObject({ limit: z.number(), key: z.string().optional() });

/** The implemented options. Others are refused, because ignoring one would look like obeying it. */
const configSchema = z.strictObject({
  id: z.string().min(1),
  name: z.string().optional(),
  triggers: z.array(
    z.union([
      z.strictObject({ event: z.string(), expression: z.string().optional() }),
      z.strictObject({ cron: z.string() }),
    ]),
  ),
  steps: z.strictObject({
    step: z.looseObject({ retries: z.strictObject({ attempts: z.number().optional() }).optional() }),
  }),
  concurrency: z.union([z.number(), limitSchema, z.array(limitSchema)]).optional(),
  cancel: z.array(z.strictObject({ event: z.string(), if: z.string().optional() })).optional(),
});

/** Reads a cron trigger of five or six fields, in UTC. */
export function cronOf(expression: string): Cron {
  return new Cron(expression, { timezone: 'UTC', mode: '5-or-6-parts' });
}

function parseFunction(raw: unknown): FunctionDefinition {
  const id = z.looseObject({ id: z.string() }).parse(raw).id;
  const refuse = (option: string, why: string): never => {
    throw new UnsupportedFunction(`Function "${id}": ${option} ${why}.`);
  };
  const parsed = configSchema.safeParse(raw);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const keys = issue?.code === 'unrecognized_keys' ? issue.keys : [];
    const option = [...(issue?.path ?? []), ...keys].filter((part) => typeof part === 'string').join('.');
    return refuse(option, `is not supported by the local runner: ${issue?.message}`);
  }
  const config = parsed.data;
  const equation = (option: string, text: string | undefined) =>
    text === undefined
      ? undefined
      : (parseEquation(text) ??
        refuse(option, `"${text}" is not supported by the local runner: write one equation of paths`));
  const path = (option: string, text: string | undefined) =>
    text === undefined
      ? undefined
      : (parsePath(text) ?? refuse(option, `"${text}" is not supported: write event.data.something`));

  const definition: FunctionDefinition = {
    id,
    name: config.name ?? id,
    events: [],
    crons: [],
    maxAttempts: (config.steps.step.retries?.attempts ?? DEFAULT_RETRIES) + 1,
    concurrency: [],
    cancelOn: (config.cancel ?? []).map((cancel) => ({
      event: cancel.event,
      condition: equation('cancelOn if', cancel.if),
    })),
  };
  const published: string[] = [internalEvents.failed, internalEvents.cancelled];
  for (const trigger of config.triggers) {
    if ('cron' in trigger) {
      try {
        cronOf(trigger.cron).nextRun();
      } catch (error) {
        refuse('cron', `"${trigger.cron}" cannot be read: ${error}`);
      }
      definition.crons.push(trigger.cron);
    } else {
      if (trigger.event.includes('*')) refuse('trigger', `"${trigger.event}": wildcards are not supported`);
      if (trigger.event.startsWith('inngest/') && !published.includes(trigger.event)) {
        refuse('trigger', `"${trigger.event}" is an event that the local runner does not send`);
      }
      const condition = equation('trigger if', trigger.expression);
      definition.events.push({ name: trigger.event, condition });
    }
  }
  const { concurrency = [] } = config;
  const limits = typeof concurrency === 'number' ? [{ limit: concurrency }] : [concurrency].flat();
  for (const { limit, key } of limits as z.infer<typeof limitSchema>[]) {
    // The SDK documents 0 as "no limit".
    if (limit > 0) definition.concurrency.push({ limit, key: path('concurrency key', key) });
  }
  return definition;
}

/** Reads the function configurations an app registers. @throws UnsupportedFunction */
export function parseFunctions(raw: unknown): FunctionDefinition[] {
  return z.array(z.unknown()).parse(raw).map(parseFunction);
}
