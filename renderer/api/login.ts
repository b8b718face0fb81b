import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from './call.ts';
import { keys } from './keys.ts';

/** Clients that wait to be let in by somebody at this window. */
export function usePendingLogins() {
  return useQuery({ queryKey: keys.logins, queryFn: () => call('login.pending', {}) });
}

/** Lets a waiting client have a token of a user, or turns it away (`userId: null`). */
export function useAnswerLogin() {
  return useMutation({
    mutationFn: ({ id, userId }: { id: string; userId: number | null }) =>
      userId === null ? call('login.deny', { id }) : call('login.approve', { id, userId }),
  });
}
