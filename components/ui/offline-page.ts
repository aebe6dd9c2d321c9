import { useRouter } from 'next/navigation';
import { createContext, useCallback, useContext } from 'react';

/** Tells what's below it whether this is the page that's shown without a network. */
export const OfflinePageContext = createContext(false);

/** Returns whether this is the page that's shown without a network. */
export const useIsOfflinePage = (): boolean => useContext(OfflinePageContext);

type Navigate = (href: string, options?: { replace?: boolean }) => void;

/** Returns how to go to another page of the site. On the page for no network, that loads a whole page: the router would ask the server. */
export function useNavigate(): Navigate {
  const router = useRouter();
  const isOfflinePage = useIsOfflinePage();
  return useCallback(
    (href, { replace = false } = {}) => {
      if (isOfflinePage) location[replace ? 'replace' : 'assign'](href);
      else router[replace ? 'replace' : 'push'](href);
    },
    [router, isOfflinePage],
  );
}
