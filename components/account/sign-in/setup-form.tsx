'use client';

import { type ReactNode, useEffect, useId, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { useForm } from '@/components/ui/use-form';
import { type Body, call } from '@/lib/api/shared/client';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';
import { EmailField } from './email-field';
import { NameFields } from './name-fields';
import { NewPasswordField } from './new-password-field';

const ROW = 'grid gap-x-18 gap-y-5 border-t border-line py-8 lg:grid-cols-[300px_minmax(0,560px)]';

/** A question and its answers, below a hairline. */
function Row({ heading, about, children }: { heading: string; about: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={ROW}>
      <div className="flex flex-col gap-1">
        <h2 id={id} className="heading text-[24px]/[1.25]">
          {heading}
        </h2>
        <p className="max-w-[32ch] text-15 text-pretty text-ink-2">{about}</p>
      </div>
      {children}
    </section>
  );
}

/**
 * Makes the first account. The code comes first: the rest is off until it's right.
 * @param whereCodeIs a sentence
 * @param checkIcon shown when the code is right
 */
export function SetupForm({ whereCodeIs, checkIcon }: { whereCodeIs: string; checkIcon: ReactNode }) {
  /** The right code, or null. */
  const [code, setCode] = useState<string | null>(null);
  /** What's wrong with a code that was right before. */
  const [lapsed, setLapsed] = useState<string>();

  const check = useForm<Body<'POST /setup/check'>>(async (body) => {
    setLapsed(undefined);
    await call('POST /setup/check', { body });
    setCode(body.code);
    return undefined;
  });
  const person = useForm<Omit<Body<'POST /setup'>, 'code'>>(async (values) => {
    if (code === null) return undefined;
    await call('POST /setup', { body: { ...values, code } }).catch((error: unknown) => {
      if (error instanceof ApiError && error.fields.code) {
        setLapsed(error.fields.code);
        setCode(null);
      }
      throw error;
    });
    // A full page load, so that everything is rendered with the new cookies.
    window.location.assign('/');
    return 'leaving';
  });

  const [codeForm, personForm] = [check.form.ref, person.form.ref];
  // The control that had the focus is gone, or off.
  useEffect(() => {
    if (code !== null) personForm.current?.querySelector('input')?.focus();
    else if (lapsed !== undefined) codeForm.current?.querySelector('input')?.focus();
  }, [code, lapsed, codeForm, personForm]);

  return (
    <>
      <form {...check.form}>
        <Row heading="Setup code" about={whereCodeIs}>
          <div className="flex flex-wrap items-start gap-x-5 gap-y-3">
            <Field
              label="Setup code"
              labelHidden
              error={check.errors.code ?? lapsed}
              className="w-full sm:w-[260px]"
            >
              {(control) => (
                <input
                  {...control}
                  name="code"
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                  maxLength={200}
                  required
                  readOnly={code !== null}
                  data-missing="Enter the setup code."
                  className="control min-h-12 text-20 tracking-[0.04em]"
                />
              )}
            </Field>
            {code === null && (
              <Button type="submit" variant="secondary" busy={check.busy} className="min-h-12">
                Check code
              </Button>
            )}
            <p role="status" className="flex min-h-12 items-center gap-2 text-15 text-ok">
              {code !== null && (
                <>
                  {checkIcon}
                  That’s the one.
                </>
              )}
            </p>
          </div>
        </Row>
      </form>
      <form {...person.form}>
        <fieldset disabled={code === null} className="min-w-0">
          <Row heading="You" about="The first account looks after this Daylight.">
            <div className="flex flex-col gap-5">
              <div className="grid grid-cols-2 gap-4 max-[359px]:grid-cols-1">
                <NameFields errors={person.errors} />
              </div>
              <EmailField error={person.errors.email} />
              <NewPasswordField label="Password" name="password" error={person.errors.password} />
            </div>
          </Row>
          <div className={ROW}>
            <div className="flex flex-wrap items-center gap-x-5 gap-y-3 lg:col-start-2">
              <Button type="submit" size="lg" busy={person.busy} className="max-sm:w-full">
                Open Daylight
              </Button>
              <p className="text-15 text-ink-2">You won’t see this page again.</p>
            </div>
          </div>
        </fieldset>
      </form>
    </>
  );
}
