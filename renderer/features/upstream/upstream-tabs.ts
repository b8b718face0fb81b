/** The parts of the Upstream screen. */
export const upstreamTabs = ['registries', 'cache', 'prefetch', 'outbox', 'bundles'] as const;
export type UpstreamTab = (typeof upstreamTabs)[number];
