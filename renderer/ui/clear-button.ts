/** Makes the button that empties a list of choices one that a keyboard reaches too; `label` says what there is without a choice. */
export function clearButton(label: string): { 'aria-label': string; 'aria-hidden': false; tabIndex: 0 } {
  return { 'aria-label': label, 'aria-hidden': false, tabIndex: 0 };
}
