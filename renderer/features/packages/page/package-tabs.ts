/** The parts of a package's page. */
export const packageTabs = ['readme', 'versions', 'files', 'dependencies'] as const;
export type PackageTab = (typeof packageTabs)[number];
