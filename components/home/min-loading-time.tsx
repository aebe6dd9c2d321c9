import type { CSSProperties, ReactNode } from 'react';
import styles from './min-loading-time.module.css';

/**
 * Shows `loading` for at least `milliseconds`, then `children`. The browser counts, because the server may be done before
 * the first paint. Nothing of it waits for a script.
 */
export function MinLoadingTime({
  milliseconds,
  loading,
  children,
}: {
  milliseconds: number;
  loading: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className={styles.both} style={{ '--min-loading': `${milliseconds}ms` } as CSSProperties}>
      <div className={styles.loading}>{loading}</div>
      <div className={styles.content}>{children}</div>
    </div>
  );
}
