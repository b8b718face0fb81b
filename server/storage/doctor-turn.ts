/** Lets requests have their turn between two pieces of a long work. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
