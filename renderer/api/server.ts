import { useQuery } from '@tanstack/react-query';
import { call } from './call.ts';
import { keys } from './keys.ts';

/** Where the registry listens, its version, data folder and default project. */
export function useServerStatus() {
  return useQuery({ queryKey: keys.status, queryFn: () => call('server.status', {}) });
}
