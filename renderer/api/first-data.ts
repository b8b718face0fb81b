import type { QueryClient } from '@tanstack/react-query';
import { settingsKey } from './app.ts';
import { call, keyOf, unwrap } from './call.ts';
import { firstReads, firstReplies, firstSettings } from './first-requests.ts';

/** Takes over the replies to the first requests; a read that failed is repeated. */
export async function takeFirstReplies(client: QueryClient): Promise<void> {
  const reads = firstReads.map((method, at) =>
    client.prefetchQuery({
      queryKey: keyOf(method, {}),
      queryFn: async () => {
        const reply = await firstReplies[at];
        return reply?.ok ? unwrap(reply) : call(method, {});
      },
    }),
  );
  await Promise.all([...reads, client.prefetchQuery({ queryKey: settingsKey, queryFn: () => firstSettings })]);
}
