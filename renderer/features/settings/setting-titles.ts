/** The settings that the palette finds by name. */
export const settingTitles = [
  'Theme',
  'Keep running in the tray',
  'Start at login',
  'Notifications',
  'Port',
  'Serve other computers',
  'Largest tarball',
  'Data folder',
  'Log',
  'Updates',
] as const;
