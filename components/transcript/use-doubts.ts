import { useEffect, useState } from 'react';
import { deviceSetting, setDeviceSetting } from '@/components/ui/browser-storage';

const OFF = 'daylight-doubts-off';

/** Whether words that the machine was not sure of are marked; kept in this browser. */
export function useDoubts(): [boolean, (marked: boolean) => void] {
  const [marked, setMarked] = useState(true);
  useEffect(() => setMarked(deviceSetting(OFF) === null), []);
  return [
    marked,
    (next) => {
      setDeviceSetting(OFF, next ? null : 'yes');
      setMarked(next);
    },
  ];
}
