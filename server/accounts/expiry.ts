import { dateOf } from '../lib/calendar.ts';
import type { Change } from './change.ts';
import type { Directory } from './directory.ts';
import { invalidFields } from './naming.ts';

/** Milliseconds between two runs. Access ends on time by itself; a run only deletes the rows. */
const interval = 3_600_000;

/**
 * Deletes expired memberships and invitations, now and every hour, so that a deploy rule does not come back with the next membership of
 * the same user.
 * @param report gets the error of a run; the next one tries again.
 * @returns a function that stops it.
 */
export async function startRemovingExpired(
  services: readonly { removeExpired(): Promise<number> }[],
  report: (error: unknown) => void,
): Promise<() => void> {
  const run = async () => {
    for (const service of services) await service.removeExpired();
  };
  await run().catch(report);
  const timer = setInterval(() => void run().catch(report), interval);
  timer.unref();
  return () => clearInterval(timer);
}

interface Expiring {
  readonly expiresOn: string | null;
}

/** Removes the records whose day has come, in one transaction; returns how many. */
export async function removeExpired<T extends Expiring>(
  directory: Directory,
  store: { all(kind: 'project' | 'group'): readonly T[] },
  remove: (change: Change, record: T) => void,
): Promise<number> {
  const today = dateOf(directory.now());
  const expired = () =>
    [...store.all('project'), ...store.all('group')].filter(
      ({ expiresOn }) => expiresOn !== null && expiresOn <= today,
    );
  if (expired().length === 0) return 0;
  return directory.write((change) => {
    const records = expired();
    for (const record of records) remove(change, record);
    return records.length;
  });
}

/** @throws GatehouseError `invalid_request` for a day before today. */
export function refusePastDay(change: Change, expiresOn: string | null): void {
  if (expiresOn !== null && expiresOn < dateOf(change.now)) {
    throw invalidFields({ expires_at: ['cannot be a date in the past'] });
  }
}
