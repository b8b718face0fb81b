import type { DirectoryServices } from './directory-services.ts';

/** Milliseconds between two rounds. Access ends by the calendar, on time; a round only clears away what is left of it. */
const interval = 3_600_000;

/**
 * Ends memberships and invitations whose day has come, now and every hour, so that a deploy rule does not come back to life with the
 * next membership of the same person.
 * @param report hears of a round that failed; the next one tries again.
 * @returns a function that ends the rounds.
 */
export async function keepEndingExpired(
  services: Pick<DirectoryServices, 'members' | 'shares'>,
  report: (error: unknown) => void,
): Promise<() => void> {
  const round = async () => {
    await services.members.removeExpired();
    await services.shares.removeExpired();
  };
  await round().catch(report);
  const timer = setInterval(() => void round().catch(report), interval);
  timer.unref();
  return () => clearInterval(timer);
}
