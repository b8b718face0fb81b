/** The parts of the People screen. */
export const peopleTabs = ['users', 'groups', 'projects', 'tokens'] as const;
export type PeopleTab = (typeof peopleTabs)[number];
