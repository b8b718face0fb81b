/** Made when it is first needed: it takes milliseconds. */
let collator: Intl.Collator | undefined;

/** The order of names in the lists of the window, as people sort them: `team-9`, `Team-10`. */
export function compareNames(a: string, b: string): number {
  collator ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  return collator.compare(a, b);
}
