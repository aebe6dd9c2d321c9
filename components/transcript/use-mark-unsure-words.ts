import { useEffect, useState } from 'react';
import { getDeviceSetting, setDeviceSetting } from '@/components/ui/browser-storage';

const STORAGE_KEY = 'daylight-doubts-off';

/** Whether words that the machine was not sure of are marked; kept in this browser. */
export function useMarkUnsureWords(): [boolean, (marked: boolean) => void] {
  const [marked, setMarked] = useState(true);
  useEffect(() => setMarked(getDeviceSetting(STORAGE_KEY) === null), []);
  return [
    marked,
    (next) => {
      setDeviceSetting(STORAGE_KEY, next ? null : 'yes');
      setMarked(next);
    },
  ];
}
