import { LINK } from '@/components/ui/prose';

/** Leads whoever runs an empty site to making its first account. */
export function SetupLink() {
  return (
    <p className="text-15 text-ink-2">
      Setting this site up?{' '}
      <a href="/setup" className={LINK}>
        Enter the setup code
      </a>
      .
    </p>
  );
}
