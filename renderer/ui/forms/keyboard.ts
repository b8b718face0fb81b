/** Whether this is a Mac, where shortcuts use the Command key. */
export const isMac: boolean = typeof navigator !== 'undefined' && /mac/i.test(navigator.platform);

const signs = { arrowleft: '←', arrowright: '→', escape: 'Esc' } as const;

/** A shortcut such as `mod+K` as it is shown: "⌘K" or "Ctrl K". */
export function formatShortcut(shortcut: string, mac: boolean = isMac): string {
  const names: Record<string, string> = mac
    ? { mod: '⌘', shift: '⇧', alt: '⌥', enter: '↩', ...signs }
    : { mod: 'Ctrl', shift: 'Shift', alt: 'Alt', enter: 'Enter', ...signs };
  return shortcut
    .split('+')
    .map((key) => names[key.toLowerCase()] ?? key.toUpperCase())
    .join(mac ? '' : ' ');
}

/** Whether a field that takes text has the focus. */
export function isTyping(): boolean {
  const focused = document.activeElement;
  if (focused instanceof HTMLTextAreaElement) return !focused.readOnly;
  return focused instanceof HTMLInputElement && !focused.readOnly && !/^(?:checkbox|radio|button)$/.test(focused.type);
}
