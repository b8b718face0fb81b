/** The parts of a version's page. */
export const versionTabs = ['readme', 'files', 'dependencies', 'distribution'] as const;
export type VersionTab = (typeof versionTabs)[number];
